// Example bodies of companies, for the API reference.

const company = {
  id: '0199f0e0-6666-7000-8000-0000000000c1',
  org_id: '0199f0e0-1111-7000-8000-000000000001',
  name: 'Analytical Engines',
  domain: 'analytical.example',
  domains: ['engines.example'],
  website: 'https://analytical.example',
  phone: '+442079460958',
  linkedin_url: null,
  industry: 'Machinery',
  employee_count: 120,
  annual_revenue: '12500000.00',
  annual_revenue_currency: 'GBP',
  description: 'Builds engines that compute.',
  city: 'London',
  region: null,
  country: 'GB',
  owner_user_id: 'usr_8Jq2',
  tags: ['partner'],
  custom: {},
  external_id: null,
  source: 'api',
  created_by: { type: 'user', id: 'usr_8Jq2', name: 'Grace Hopper' },
  created_at: '2026-05-31T23:57:24.480Z',
  updated_at: '2026-05-31T23:57:24.480Z',
  deleted_at: null,
  version: 1,
}

export const companyExamples = {
  company,
  newCompany: {
    ...{ name: company.name, domain: company.domain, country: company.country, tags: company.tags },
    ...{ employee_count: 120, annual_revenue: '12500000', annual_revenue_currency: 'GBP' },
  },
  companyChange: { industry: 'Software', description: null, add_tags: ['renewal'] },
  changedCompany: { ...company, industry: 'Software', description: null, tags: ['partner', 'renewal'], version: 2 },
  deletedCompany: { ...company, deleted_at: '2026-06-01T08:00:00.000Z', version: 2 },
  companyPage: { data: [company], has_more: false, next_cursor: null, total: null },
  timelinePage: {
    data: [
      {
        id: '0199f0e0-6666-7000-8000-0000000000c2',
        type: 'company.updated',
        actor: company.created_by,
        door: 'rest',
        operation: 'UpdateCompany',
        changes: { industry: ['Machinery', 'Software'] },
        created_at: '2026-06-01T08:00:00.000Z',
      },
    ],
    has_more: false,
    next_cursor: null,
    total: null,
  },
}
