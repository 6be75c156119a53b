// The endpoints of tasks.

import { z } from 'zod'
import {
  CreateTaskDocument,
  DeleteTaskDocument,
  GetTaskDocument,
  ListContactTasksDocument,
  ListTasksDocument,
  UpdateTaskDocument,
} from '../../../generated/operations.ts'
import { developers } from '../../router/callers.ts'
import { type Route, route } from '../../router/route.ts'
import { pageOf, total } from '../inputs.ts'
import { contactExamples as examples } from './examples.ts'
import { contactTaskFilter, newTask, taskChange, taskFilter, taskSort } from './inputs.ts'

const contact = '/api/crm/v1/contacts/{contact_id}'
const tasks = '/api/crm/v1/tasks'
const task = `${tasks}/{task_id}` as const
const aTask = { role: 'api', tag: 'Tasks', callers: developers } as const

export const taskRoutes: readonly Route[] = [
  route({
    ...aTask,
    method: 'GET',
    path: tasks,
    operationId: 'listTasks',
    summary: 'List tasks',
    description:
      'The most urgent first unless sorted otherwise; those without a due time come last. Tasks about deleted contacts rest, and are left out until the contact is restored.',
    scope: 'contacts:read',
    query: z.strictObject({ ...pageOf, sort: taskSort, include: total, ...taskFilter }),
    document: ListTasksDocument,
    status: 200,
    examples: { answer: examples.taskPage },
  }),
  route({
    ...aTask,
    method: 'GET',
    path: `${contact}/tasks`,
    operationId: 'listContactTasks',
    summary: "List a contact's tasks",
    description: 'The most urgent first unless sorted otherwise.',
    scope: 'contacts:read',
    query: z.strictObject({ ...pageOf, sort: taskSort, include: total, ...contactTaskFilter }),
    document: ListContactTasksDocument,
    status: 200,
    examples: { answer: examples.taskPage },
  }),
  route({
    ...aTask,
    method: 'POST',
    path: `${contact}/tasks`,
    operationId: 'createTask',
    summary: 'Add a task to a contact',
    description:
      'At `remind_at` an open task is reminded of, once: in the timeline, and by e-mail to its assignee where the server sends mail.',
    scope: 'contacts:write',
    body: newTask,
    document: CreateTaskDocument,
    status: 201,
    location: `${tasks}/{id}`,
    examples: { body: examples.newTask, answer: examples.task },
  }),
  route({
    ...aTask,
    method: 'GET',
    path: task,
    operationId: 'getTask',
    summary: 'Get a task',
    description: 'By its id, also where its contact is deleted.',
    scope: 'contacts:read',
    document: GetTaskDocument,
    status: 200,
    etag: true,
    examples: { answer: examples.task },
  }),
  route({
    ...aTask,
    method: 'PATCH',
    path: task,
    operationId: 'updateTask',
    summary: 'Change a task',
    description:
      'A field that is absent stays as it is, null clears it. Another `remind_at` moves the reminder; a task that is done has none.',
    scope: 'contacts:write',
    body: taskChange,
    ifMatch: true,
    document: UpdateTaskDocument,
    status: 200,
    etag: true,
    examples: { body: examples.taskChange, answer: examples.doneTask },
  }),
  route({
    ...aTask,
    method: 'DELETE',
    path: task,
    operationId: 'deleteTask',
    summary: 'Delete a task',
    description: 'For good; the answer is what it was.',
    scope: 'contacts:write',
    ifMatch: true,
    document: DeleteTaskDocument,
    status: 200,
    etag: true,
    examples: { answer: examples.task },
  }),
]
