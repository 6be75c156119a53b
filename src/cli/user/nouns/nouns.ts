// The nouns whose commands follow from their endpoints: list, get, create, update and delete. Each is one entry.

import { commandsOf } from './commands.ts'

export const nouns = {
  // `tasks` is an operator's command.
  'contact-tasks': commandsOf({
    one: 'task',
    many: 'tasks',
    list: '/api/crm/v1/tasks',
    create: '/api/crm/v1/tasks',
    at: '/api/crm/v1/tasks/{task_id}',
    columns: ['title', 'status', 'due_at', 'contact_id', 'company_id', 'deal_id'],
    examples: {
      list: '-f status=open -f due_until=2026-12-01T00:00:00Z',
      create: '-f contact_id=01a1fb24-cc37-73f0-a612-214b2776a9d9 -f title="Send the offer"',
      update: '-f status=done',
    },
  }),
  companies: commandsOf({
    one: 'company',
    many: 'companies',
    list: '/api/crm/v1/companies',
    create: '/api/crm/v1/companies',
    at: '/api/crm/v1/companies/{company_id}',
    restore: '/api/crm/v1/companies/{company_id}/restore',
    columns: ['name', 'domain', 'city', 'updated_at'],
    examples: {
      list: '-f q=engines -f country=GB',
      create: '-f name="Analytical Engines" -f domain=analytical.example',
      update: '-F employee_count=120',
    },
  }),
  deals: commandsOf({
    one: 'deal',
    many: 'deals',
    list: '/api/crm/v1/deals',
    create: '/api/crm/v1/deals',
    at: '/api/crm/v1/deals/{deal_id}',
    restore: '/api/crm/v1/deals/{deal_id}/restore',
    move: '/api/crm/v1/deals/{deal_id}/move',
    columns: ['title', 'amount', 'currency', 'expected_close', 'stage_id'],
    examples: {
      list: '-f state=open -f company_id=01a1fb24-cc37-73f0-a612-214b2776a9d9',
      create: '-f title="Engines for the mill" -f amount=1500.50 -f currency=EUR',
      update: '-f expected_close=2026-12-24',
    },
  }),
  'saved-views': commandsOf({
    one: 'saved view',
    many: 'saved views',
    list: '/api/crm/v1/views',
    create: '/api/crm/v1/views',
    at: '/api/crm/v1/views/{view_id}',
    columns: ['noun', 'name', 'is_shared', 'position'],
    examples: {
      list: '-f noun=contacts',
      create: "-f noun=contacts -f name=Leads -f 'filter[lifecycleStageIn][]=lead'",
      update: '-F is_shared=true',
    },
  }),
}
