// SPDX-License-Identifier: BSD-3-Clause
#include <ucp/api/ucp.h>
#include <uct/api/uct.h>

#include <algorithm>
#include <string>

#include "report.hpp"

namespace waybill_info {

namespace {

/// The transports that one memory domain can open here.
void add_transports(uct_component_h component, const char* domain_name, Ucx& ucx) {
  uct_md_config_t* config = nullptr;
  if (uct_md_config_read(component, nullptr, nullptr, &config) != UCS_OK) return;
  uct_md_h domain = nullptr;
  const ucs_status_t opened = uct_md_open(component, domain_name, config, &domain);
  uct_config_release(config);
  if (opened != UCS_OK) return;
  uct_tl_resource_desc_t* resources = nullptr;
  unsigned count = 0;
  if (uct_md_query_tl_resources(domain, &resources, &count) == UCS_OK) {
    for (unsigned i = 0; i < count; ++i) {
      ucx.transports.push_back(std::string(resources[i].tl_name) + "/" + resources[i].dev_name);
    }
    uct_release_tl_resource_list(resources);
  }
  uct_md_close(domain);
}

void query_component(uct_component_h component, Ucx& ucx) {
  uct_component_attr_t attributes{};
  attributes.field_mask = UCT_COMPONENT_ATTR_FIELD_MD_RESOURCE_COUNT;
  if (uct_component_query(component, &attributes) != UCS_OK) return;
  std::vector<uct_md_resource_desc_t> domains(attributes.md_resource_count);
  attributes.field_mask = UCT_COMPONENT_ATTR_FIELD_MD_RESOURCES;
  attributes.md_resources = domains.data();
  if (uct_component_query(component, &attributes) != UCS_OK) return;
  for (const uct_md_resource_desc_t& domain : domains) {
    add_transports(component, domain.md_name, ucx);
  }
}

}  // namespace

Ucx query_ucx() {
  Ucx ucx;
  ucx.version = ucp_get_version_string();
  uct_component_h* components = nullptr;
  unsigned count = 0;
  if (uct_query_components(&components, &count) != UCS_OK) {
    ucx.reason = "UCX lists no components";
    return ucx;
  }
  for (unsigned i = 0; i < count; ++i) query_component(components[i], ucx);
  uct_release_component_list(components);
  std::sort(ucx.transports.begin(), ucx.transports.end());
  ucx.transports.erase(std::unique(ucx.transports.begin(), ucx.transports.end()),
                       ucx.transports.end());
  return ucx;
}

}  // namespace waybill_info
