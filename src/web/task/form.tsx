// The form of a task, for a new one and for changes. Another person may change the task at the same time.

import { Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useOwners } from '../contact-record/fields/choices.ts'
import { ChangeFormView } from '../forms/change-form-view.tsx'
import { useChangeForm } from '../forms/use-change-form.ts'
import { useWriteForm, type WriteForm } from '../forms/use-write-form.ts'
import { WriteFormView } from '../forms/write-form-view.tsx'
import { CreateTaskDocument, TaskNowDocument, UpdateTaskDocument } from '../generated/documents/task.ts'
import type { TaskStatus } from '../generated/schema.ts'
import { taskWords } from '../language/en/tasks.ts'
import { fieldWords } from '../language/en/values.ts'
import { optionsOf } from '../language/values.ts'
import { exact } from '../pieces/time.tsx'
import { inputOfRecord, type RecordRef } from '../record/ref.ts'
import type { Task } from './due.tsx'
import { DueInput, dueProblem } from './due-input.tsx'
import { fromLocal, toLocal } from './moment.ts'
import { RecordSelect, refOf } from './record-select.tsx'

interface TaskFormProps {
  /** The task to change; undefined for a new task. */
  task?: Task | undefined
  /** The record of a new task, if it is known. Somebody chooses one otherwise. */
  record?: RecordRef | undefined
  assigneeUserId?: string | undefined
  onClose(): void
  onWritten(task: Task): void
}

const maxTitle = 200

export default function TaskForm(props: TaskFormProps) {
  return props.task ? <ChangeTask {...props} task={props.task} /> : <NewTask {...props} />
}

function valuesOf(task: Task | undefined, assigneeUserId: string | undefined) {
  return {
    /** The record of a new task, as the select names it. */
    record: '',
    title: task?.title ?? '',
    description: task?.description ?? '',
    dueAt: toLocal(task?.dueAt ?? null),
    remindAt: toLocal(task?.remindAt ?? null),
    assigneeUserId: task ? task.assigneeUserId : (assigneeUserId ?? null),
    status: (task?.status ?? 'OPEN') as TaskStatus,
  }
}

type Values = ReturnType<typeof valuesOf>

const labels: Readonly<Record<keyof Values, string>> = {
  record: taskWords.record,
  title: fieldWords.title,
  description: fieldWords.description,
  dueAt: fieldWords.dueAt,
  remindAt: fieldWords.remindAt,
  assigneeUserId: fieldWords.assigneeUserId,
  status: fieldWords.status,
}

const validate = {
  title: (title: string) => (title.trim() === '' ? taskWords.titleNeeded : null),
  dueAt: dueProblem,
  remindAt: dueProblem,
}

const inputOf = ({ title, description, dueAt, remindAt, assigneeUserId, status }: Values) => ({
  title: title.trim(),
  description: description.trim() || null,
  dueAt: fromLocal(dueAt),
  remindAt: fromLocal(remindAt),
  assigneeUserId: assigneeUserId || null,
  status,
})

function NewTask({ record, assigneeUserId, onClose, onWritten }: TaskFormProps) {
  const write = useWriteForm({
    document: CreateTaskDocument,
    draft: `task ${record?.id ?? ''}`,
    initialValues: valuesOf(undefined, assigneeUserId),
    validate: { ...validate, record: (value: string) => (!record && refOf(value) === null ? taskWords.recordNeeded : null) },
    toVariables: values => {
      const chosen = record ?? refOf(values.record)
      return { input: { ...inputOf(values), ...(chosen && inputOfRecord(chosen)) } }
    },
    onWritten: ({ createTask }) => onWritten(createTask),
  })
  return (
    <WriteFormView write={write} verb={taskWords.add} onCancel={onClose}>
      <Fields form={write.form} hasRecord={record !== undefined} isNew />
    </WriteFormView>
  )
}

function ChangeTask({ task, onClose, onWritten }: TaskFormProps & { task: Task }) {
  const owners = useOwners()
  const change = useChangeForm({
    object: task,
    valuesOf: changed => valuesOf(changed, undefined),
    inputOf,
    now: TaskNowDocument,
    pickNow: data => data.task,
    document: UpdateTaskDocument,
    toVariables: (input, which) => ({ input: { ...input, ...which } }),
    pickWritten: ({ updateTask }) => updateTask,
    validate,
    draft: `task ${task.id}`,
    onWritten,
  })
  const fieldText = (values: Values, field: keyof Values) => {
    if (field === 'assigneeUserId') return owners.find(({ value }) => value === values[field])?.label ?? values[field] ?? ''
    if (field === 'dueAt' || field === 'remindAt') return momentOf(values[field])
    return field === 'status' ? taskWords.status[values.status] : values[field]
  }
  return (
    <ChangeFormView change={change} verb={taskWords.save} labels={labels} textOf={fieldText} onCancel={onClose}>
      <Fields form={change.form} hasRecord isNew={false} />
    </ChangeFormView>
  )
}

function momentOf(text: string): string {
  const at = fromLocal(text)
  return at === null ? '' : exact(at)
}

interface FieldsProps extends Pick<WriteForm<Values>, 'form'> {
  hasRecord: boolean
  isNew: boolean
}

function Fields({ form, hasRecord, isNew }: FieldsProps) {
  const owners = useOwners()
  return (
    <>
      <TextInput label={labels.title} maxLength={maxTitle} data-autofocus {...form.getInputProps('title')} />
      {!hasRecord && <RecordSelect {...form.getInputProps('record')} />}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <DueInput label={labels.dueAt} {...form.getInputProps('dueAt')} />
        <DueInput label={labels.remindAt} {...form.getInputProps('remindAt')} />
        <Select
          label={labels.assigneeUserId}
          placeholder={taskWords.nobody}
          data={[...owners]}
          clearable
          searchable
          {...form.getInputProps('assigneeUserId')}
        />
        {!isNew && (
          <Select label={labels.status} data={optionsOf(taskWords.status)} allowDeselect={false} {...form.getInputProps('status')} />
        )}
      </SimpleGrid>
      <Textarea label={labels.description} autosize minRows={3} maxRows={12} {...form.getInputProps('description')} />
    </>
  )
}
