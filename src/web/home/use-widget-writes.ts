// Changes of the person's dashboard: widgets are added, set, moved, and removed with an undo.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { useClient } from 'urql'
import { failureOf } from '../data/failure.ts'
import { newId } from '../data/new-id.ts'
import {
  AddDashboardWidgetDocument,
  MoveDashboardWidgetDocument,
  RemoveDashboardWidgetDocument,
  UpdateDashboardWidgetDocument,
} from '../generated/documents/home.ts'
import type {
  AddDashboardWidgetMutationVariables,
  DashboardWidgetsQuery,
  UpdateDashboardWidgetMutationVariables,
} from '../generated/operations.ts'
import { announce } from '../keyboard/announce.tsx'
import { homeWords } from '../language/en/home.ts'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import { offerUndo } from '../pieces/notices/undo.tsx'
import { widgetTitle } from './kinds.ts'

export type Widget = DashboardWidgetsQuery['dashboardWidgets'][number]

export interface WidgetWrites {
  add(input: AddDashboardWidgetMutationVariables['input']): Promise<void>
  set(input: UpdateDashboardWidgetMutationVariables['input']): Promise<void>
  move(widget: Widget, by: -1 | 1): Promise<void>
  remove(widget: Widget): Promise<void>
}

export function useWidgetWrites(onWritten: () => void): WidgetWrites {
  const client = useClient()

  /** Returns whether the write succeeded. */
  async function write<Data, Variables extends object>(document: TypedDocumentNode<Data, Variables>, variables: Variables) {
    const { error } = await client.mutation(document, variables, { idempotencyKey: newId() }).toPromise()
    // Reads the list after each write: the first change stores the default widgets, and the stream of changes reports only stored ones.
    onWritten()
    if (!error) return true
    tellRefusal(homeWords.notChanged, failureOf(error))
    return false
  }

  return {
    async add(input) {
      if (await write(AddDashboardWidgetDocument, { input })) announce(homeWords.added)
    },
    async set(input) {
      await write(UpdateDashboardWidgetDocument, { input })
    },
    async move(widget, by) {
      const position = widget.position + by
      if (await write(MoveDashboardWidgetDocument, { input: { id: widget.id, position } })) announce(homeWords.moved(position + 1))
    },
    async remove(widget) {
      const { id, kind, title, position, rangeDays, per, groupBy } = widget
      if (!(await write(RemoveDashboardWidgetDocument, { input: { id } }))) return
      const input = { kind, title, position, rangeDays, per, groupBy }
      offerUndo(homeWords.removed(widgetTitle(widget)), () => void write(AddDashboardWidgetDocument, { input }))
    },
  }
}
