// The form of a task: a new one, or a change of one that somebody else may be changing too.

import { Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { useOwners } from '../contact-record/fields/choices.ts'
import { useWriteForm } from '../forms/use-write-form.ts'
import { WriteFormView } from '../forms/write-form-view.tsx'
import { CreateTaskDocument, UpdateTaskDocument } from '../generated/documents/task.ts'
import { type TaskStatus, taskStatusValues } from '../generated/schema.ts'
import { words } from '../pieces/status.tsx'
import { ContactSelect } from './contact-select.tsx'
import type { Task } from './due.tsx'
import { fromLocal, toLocal } from './moment.ts'
import { Standing } from './standing.tsx'

interface TaskFormProps {
  /** The task that is changed; undefined makes a new one. */
  task?: Task | undefined
  /** Whose task it is, where that is known. */
  contactId?: string | undefined
  assigneeUserId?: string | undefined
  onClose(): void
  onWritten(task: Task): void
}

const maxTitle = 200

export function TaskForm(props: TaskFormProps) {
  return props.task ? <ChangeTask {...props} task={props.task} /> : <NewTask {...props} />
}

function valuesOf(task: Task | undefined, contactId: string | undefined, assigneeUserId: string | undefined) {
  return {
    contactId: task?.contactId ?? contactId ?? '',
    title: task?.title ?? '',
    description: task?.description ?? '',
    dueAt: toLocal(task?.dueAt ?? null),
    remindAt: toLocal(task?.remindAt ?? null),
    assigneeUserId: task ? task.assigneeUserId : (assigneeUserId ?? null),
    status: (task?.status ?? 'OPEN') as TaskStatus,
  }
}

type Values = ReturnType<typeof valuesOf>

const validate = {
  title: (title: string) => (title.trim() === '' ? 'Say what is to be done' : null),
  contactId: (id: string) => (id === '' ? 'Choose whom it is about' : null),
}

const inputOf = ({ title, description, dueAt, remindAt, assigneeUserId, status }: Values) => ({
  title: title.trim(),
  description: description.trim() || null,
  dueAt: fromLocal(dueAt),
  remindAt: fromLocal(remindAt),
  assigneeUserId: assigneeUserId || null,
  status,
})

function NewTask({ contactId, assigneeUserId, onClose, onWritten }: TaskFormProps) {
  const write = useWriteForm({
    document: CreateTaskDocument,
    draft: `task ${contactId ?? ''}`,
    initialValues: valuesOf(undefined, contactId, assigneeUserId),
    validate,
    toVariables: values => ({ input: { ...inputOf(values), contactId: values.contactId } }),
    onWritten: ({ createTask }) => onWritten(createTask),
  })
  return (
    <WriteFormView write={write} verb="Add task" onCancel={onClose}>
      <Fields form={write.form} hasContact={contactId !== undefined} isNew />
    </WriteFormView>
  )
}

function ChangeTask({ task, onClose, onWritten }: TaskFormProps & { task: Task }) {
  // Of what was shown last: when the form was opened, or as theirs. What arrives otherwise has not been seen by who writes here.
  const version = useRef(task.version)
  const write = useWriteForm({
    document: UpdateTaskDocument,
    initialValues: valuesOf(task, undefined, undefined),
    validate,
    toVariables: values => ({ input: { ...inputOf(values), id: task.id, ifVersion: version.current } }),
    onWritten: ({ updateTask }) => onWritten(updateTask),
  })
  const isConflict = write.failure?.code === 'PRECONDITION_FAILED'
  return (
    <>
      {isConflict && (
        <Standing
          task={task}
          onTakeTheirs={theirs => {
            version.current = theirs.version
            write.form.setValues(valuesOf(theirs, undefined, undefined))
          }}
          onKeepYours={theirs => {
            version.current = theirs.version
            write.onSubmit()
          }}
          yours={inputOf(write.form.getValues())}
        />
      )}
      <WriteFormView write={write} verb="Save task" onCancel={onClose}>
        <Fields form={write.form} hasContact isNew={false} />
      </WriteFormView>
    </>
  )
}

interface FieldsProps {
  form: ReturnType<typeof useWriteForm<Values, object, object>>['form']
  hasContact: boolean
  isNew: boolean
}

function Fields({ form, hasContact, isNew }: FieldsProps) {
  const owners = useOwners()
  return (
    <>
      <TextInput label="What is to be done" maxLength={maxTitle} data-autofocus key={form.key('title')} {...form.getInputProps('title')} />
      {!hasContact && <ContactSelect key={form.key('contactId')} {...form.getInputProps('contactId')} />}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput type="datetime-local" label="Due" key={form.key('dueAt')} {...form.getInputProps('dueAt')} />
        <TextInput type="datetime-local" label="Reminder" key={form.key('remindAt')} {...form.getInputProps('remindAt')} />
        <Select
          label="Assigned to"
          placeholder="Nobody"
          data={[...owners]}
          clearable
          searchable
          key={form.key('assigneeUserId')}
          {...form.getInputProps('assigneeUserId')}
        />
        {!isNew && (
          <Select
            label="Status"
            data={taskStatusValues.map(value => ({ value, label: words(value) }))}
            allowDeselect={false}
            key={form.key('status')}
            {...form.getInputProps('status')}
          />
        )}
      </SimpleGrid>
      <Textarea
        label="Description"
        autosize
        minRows={3}
        maxRows={12}
        key={form.key('description')}
        {...form.getInputProps('description')}
      />
    </>
  )
}
