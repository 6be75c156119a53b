// The endpoints of tasks.

import { z } from 'zod'
import {
  AddTaskDocument,
  CreateTaskDocument,
  DeleteTaskDocument,
  GetTaskDocument,
  ListCompanyTasksDocument,
  ListContactTasksDocument,
  ListDealTasksDocument,
  ListTasksDocument,
  type TaskStatus,
  UpdateTaskDocument,
} from '../../../generated/operations.ts'
import { derivedRoute } from '../../router/derived.ts'
import { developers, type Route, route } from '../../router/route.ts'
import { anyOf, enumOf, filterId, oneText, pageOf, time, total } from '../inputs.ts'
import { companyExamples } from './company-examples.ts'
import { dealExamples } from './deal-examples.ts'
import { contactExamples as examples } from './examples.ts'
import { pageWith, recordIds } from './records.ts'

const crm = '/api/crm/v1'
const contact = `${crm}/contacts/{contact_id}` as const
const tasks = `${crm}/tasks` as const
const task = `${tasks}/{task_id}` as const
const described = {
  status: 'Whether it is still to be done. Unless given, it is open.',
  due_at: 'When it should be done.',
  assignee_user_id: 'The assignee: a member of the organization.',
  remind_at: 'When to remind of it while it is open.',
}

/** `-due_at` sorts the least urgent first; the GraphQL schema has an enum value for it. */
const sort = z
  .enum(['due_at', '-due_at', 'created_at', '-created_at'])
  .transform(sort => (sort === '-due_at' ? 'due_at_desc' : sort === '-created_at' ? 'created_at_desc' : sort))
  .optional()
  .meta({ title: 'TaskOrder', unlessGiven: 'due_at' })
const status = anyOf(enumOf<TaskStatus>('TaskStatus'))
const filter = {
  status,
  assignee_user_id: anyOf(oneText(255)),
  contact_id: filterId,
  company_id: filterId,
  deal_id: filterId,
  due_since: time.optional(),
  due_until: time.optional(),
}

const aTask = { role: 'api', tag: 'Tasks', callers: developers } as const
const aList = {
  ...aTask,
  description: 'The most urgent first unless sorted otherwise.',
  scope: 'contacts:read',
  query: z.strictObject({ ...pageOf, sort, include: total, status }),
} as const
const { id: companyId } = companyExamples.company
const ofCompany = { ...examples.task, contact_id: null, company_id: companyId }
const ofDeal = { ...examples.task, contact_id: null, deal_id: dealExamples.deal.id }
const reminding =
  'At `remind_at` an open task is reminded of, once: in the timeline, and by email to its assignee where the server sends mail.'

export const taskRoutes: readonly Route[] = [
  route('GET', tasks, ListTasksDocument, {
    ...aTask,
    summary: 'List tasks',
    description:
      'The most urgent first unless sorted otherwise; those without a due time come last. Tasks about deleted records rest, and are left out until the record is restored.',
    scope: 'contacts:read',
    query: z.strictObject({ ...pageOf, sort, include: total, ...filter }),
    examples: { answer: examples.taskPage },
  }),
  route('GET', `${contact}/tasks`, ListContactTasksDocument, {
    ...aList,
    summary: "List a contact's tasks",
    examples: { answer: examples.taskPage },
  }),
  route('GET', `${crm}/companies/{company_id}/tasks`, ListCompanyTasksDocument, {
    ...aList,
    summary: "List a company's tasks",
    examples: { answer: pageWith(ofCompany) },
  }),
  route('GET', `${crm}/deals/{deal_id}/tasks`, ListDealTasksDocument, {
    ...aList,
    summary: "List a deal's tasks",
    examples: { answer: pageWith(ofDeal) },
  }),
  derivedRoute('POST', tasks, AddTaskDocument, {
    ...aTask,
    summary: 'Add a task to a record',
    description: `Send one of \`contact_id\`, \`company_id\` and \`deal_id\`. ${reminding}`,
    scope: 'contacts:write',
    takes: { name: 'NewTaskOfRecord', neverNull: recordIds, described },
    status: 201,
    location: `${tasks}/{id}`,
    examples: { body: { company_id: companyId, ...examples.newTask }, answer: ofCompany },
  }),
  derivedRoute('POST', `${contact}/tasks`, CreateTaskDocument, {
    ...aTask,
    summary: 'Add a task to a contact',
    description: reminding,
    scope: 'contacts:write',
    takes: { name: 'NewTask', described },
    status: 201,
    location: `${tasks}/{id}`,
    examples: { body: examples.newTask, answer: examples.task },
  }),
  route('GET', task, GetTaskDocument, {
    ...aTask,
    summary: 'Get a task',
    description: 'By its id, also where its record is deleted.',
    scope: 'contacts:read',
    etag: true,
    examples: { answer: examples.task },
  }),
  derivedRoute('PATCH', task, UpdateTaskDocument, {
    ...aTask,
    summary: 'Change a task',
    description:
      'A field that is absent stays as it is, null clears it. Another `remind_at` moves the reminder; a task that is done has none.',
    scope: 'contacts:write',
    takes: { name: 'TaskChange', neverNull: ['title'], described },
    ifMatch: true,
    etag: true,
    examples: { body: examples.taskChange, answer: examples.doneTask },
  }),
  route('DELETE', task, DeleteTaskDocument, {
    ...aTask,
    summary: 'Delete a task',
    description: 'For good; the answer is what it was.',
    scope: 'contacts:write',
    ifMatch: true,
    etag: true,
    examples: { answer: examples.task },
  }),
]
