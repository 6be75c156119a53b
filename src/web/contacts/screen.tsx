// The list of contacts. The address holds its state, a connection reads its rows, and a table shows them. A row opens in the panel.

import { ActionIcon, Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconDots, IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useQuery } from 'urql'
import { DroppedFilters } from '../address/dropped-filters.tsx'
import { loadPart } from '../app/loaded.ts'
import { useContactFields } from '../contact-record/fields/choices.ts'
import { useConnection } from '../data/use-connection.ts'
import { Header } from '../frame/header.tsx'
import { OnceOpen } from '../frame/once-open.tsx'
import { usePanelAddress } from '../frame/use-panel-address.ts'
import { ContactsCountDocument, ContactsDocument } from '../generated/documents/contacts.ts'
import type { ContactSort } from '../generated/schema.ts'
import { useShortcut } from '../keyboard/shortcuts.ts'
import { listWords } from '../language/en/contact/list.ts'
import { contactWords } from '../language/en/contacts.ts'
import { frameWords } from '../language/en/frame.ts'
import { nounWords } from '../language/en/values.ts'
import type { Change } from '../live/change.ts'
import { opensLater } from '../pieces/opens-later.tsx'
import { Empty, NoMatch } from '../pieces/states/empty.tsx'
import type { View } from '../saved-views/kind.ts'
import { loadBeside, loadGoneFields } from '../saved-views/later.ts'
import { ViewsMenu } from '../saved-views/menu.tsx'
import { useBeside } from '../saved-views/use-beside.ts'
import { useViews } from '../saved-views/use-views.ts'
import { addressOf } from '../saved-views/view.ts'
import { useMe } from '../session/use-me.ts'
import { ListTable } from '../table/list-table.tsx'
import { SelectionBar } from '../table/selection-bar.tsx'
import { useSelection } from '../table/use-selection.ts'
import { columnsOf, columnsOfDeleted, exportedColumns, loadEditor } from './columns.tsx'
import { readCondition } from './filters/custom.ts'
import { Filters } from './filters/filters.tsx'
import { filterOf, isFiltered, noFilters } from './filters/search.ts'
import type { MoreActionsProps } from './more-items.tsx'
import { contactsRoute } from './route.tsx'
import { contactViews } from './views.ts'

const loadBulk = () => loadPart(() => import('./bulk/actions.tsx'))
const BulkActions = lazy(loadBulk)
const BesideChips = lazy(loadBeside)
const GoneFields = lazy(loadGoneFields)
const CreateContact = lazy(() => loadPart(() => import('../contact-record/create/panel.tsx')))
const ContactPanel = lazy(() => loadPart(() => import('../contact-record/contact-panel.tsx')))

const pageSize = 100
const keyIn = (condition: string) => readCondition(condition)?.key ?? ''
const isChangedBy = ({ type }: Change) =>
  /^(CONTACT_(CREATED|DELETED|RESTORED|MERGED|UNMERGED|IMPORT_\w*(PROGRESSED|COMPLETED|UNDONE)$|BULK_CHANGE_\w+)|TAG_)/.test(type)

export function ContactsScreen() {
  const { sort, view: viewId, open, new: isCreating = false, ...search } = contactsRoute.useSearch()
  const navigate = useNavigate({ from: contactsRoute.fullPath })
  const [shownColumns, setShownColumns] = useState<readonly string[]>([])
  const { mayWrite, isGuest, isOff } = useMe()
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const selection = useSelection()
  const fields = useContactFields()

  const go = (next: Partial<ReturnType<typeof contactsRoute.useSearch>>) =>
    void navigate({ search: before => ({ ...before, ...next }), replace: true })
  const change = (next: Partial<ReturnType<typeof contactsRoute.useSearch>>) => {
    selection.clear()
    go(next)
  }
  const choose = (view: View | null) => {
    selection.clear()
    if (view === null) return go({ ...noFilters, sort: undefined, view: undefined })
    go(addressOf(contactViews, view))
  }
  const showDeleted = () => change({ ...noFilters, deleted: 'only', view: undefined })
  const { views, current, isAwaited } = useViews({
    kind: contactViews,
    viewId,
    isPlain: !isFiltered(search) && sort === undefined && open === undefined,
    onDefault: choose,
  })
  const beside = useBeside(contactViews, current)
  const key = JSON.stringify(search)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the filters, a new object at each rendering.
  const filter = useMemo(() => beside.within(filterOf(search)), [key, beside.conditions])
  const variables = { filter, sort: sort ?? ('CREATED_AT_DESC' as const), first: pageSize }
  const list = useConnection({ document: ContactsDocument, variables, pick: data => data.contacts, isChangedBy, isPaused: isAwaited })
  // A separate, later query counts the rows: the rows never wait for the count.
  const isCountLater = isAwaited || list.isLoading || list.isStale
  const [{ data: counted }] = useQuery({ query: ContactsCountDocument, variables: { filter }, pause: isCountLater })
  const total = counted?.contacts.totalCount

  const hasRows = list.rows.length > 0
  useEffect(() => {
    // So that the first edit and the first key of the bar find them. After a failure they are loaded when they are needed.
    if (hasRows && mayWrite) for (const load of [loadEditor, loadBulk]) load().catch(() => null)
  }, [hasRows, mayWrite])

  const isTrash = search.deleted === 'only'
  const columns = useMemo(
    () => (isTrash ? columnsOfDeleted(fields) : columnsOf(fields, current?.columns ?? [])),
    [fields, current, isTrash],
  )
  const exported = current && exportedColumns(current.columns, shownColumns)
  const panel = usePanelAddress(open !== undefined || isCreating, () => go({ open: undefined, new: undefined }))
  // Only one panel may be open: a second would cover the first and take its focus. The history has one entry for the panel, and the next panel
  // uses it again.
  const openPanel = (id: string) => void navigate({ search: before => ({ ...before, open: id, new: undefined }), ...panel.opening })
  const startCreating = () => void navigate({ search: before => ({ ...before, open: undefined, new: true }), ...panel.opening })

  useShortcut('C', listWords.create.title, startCreating, { isOn: mayWrite })
  // The table opens the editor of the row in focus.
  useShortcut('S', contactWords.changeStage, null, { isOn: mayWrite })
  const create = (
    <Button leftSection={<IconPlus />} disabled={isOff} onClick={startCreating}>
      {isPhone ? (isGuest ? listWords.signUp : listWords.new) : isGuest ? listWords.signUpToAdd : listWords.create.title}
    </Button>
  )
  return (
    <>
      <Header
        title={frameWords.places.contacts}
        views={
          <ViewsMenu
            kind={contactViews}
            views={views}
            current={current}
            state={{ search, beside: beside.conditions, sort, columns: shownColumns }}
            onChoose={choose}
            onDeleted={showDeleted}
            isPhone={isPhone ?? false}
          />
        }
        actions={
          <>
            <MoreActions filter={filter} sort={variables.sort} isFiltered={isFiltered(search)} columns={exported} />
            {create}
          </>
        }
      />
      <DroppedFilters />
      {(current || search.custom) && (
        <Suspense fallback={null}>
          <GoneFields
            kind={contactViews}
            view={current}
            keys={search.custom?.map(keyIn)}
            onWithout={gone => {
              const custom = search.custom?.filter(text => !gone.includes(keyIn(text)))
              change({ custom: custom?.length ? custom : undefined })
            }}
          />
        </Suspense>
      )}
      <Filters search={search} fields={fields} total={total} onChange={change}>
        {beside.isAny && (
          <Suspense>
            <BesideChips {...beside} />
          </Suspense>
        )}
      </Filters>
      <ListTable
        // Each view has its own columns, and the table reads them when it is mounted.
        key={`${current?.id} ${current?.version} ${fields.length} ${isTrash}`}
        name={isTrash ? 'contacts deleted' : current ? `contacts ${current.id} ${current.version}` : 'contacts'}
        label={frameWords.places.contacts}
        columns={columns}
        // An export or a saved view has no column with buttons.
        {...(!isTrash && { onColumns: setShownColumns })}
        list={list}
        onOpen={({ id }) => openPanel(id)}
        openId={open}
        sort={sort}
        onSort={next => change({ sort: next as ContactSort })}
        selection={selection}
        empty={
          isFiltered(search) || beside.isAny ? (
            <NoMatch
              sentence={search.deleted === 'only' ? listWords.noDeleted : listWords.noMatch}
              onClear={() => (beside.isAny ? choose(null) : change(noFilters))}
            />
          ) : (
            <Empty sentence={listWords.empty} action={create} guide={{ href: '/docs/guides/calling', label: listWords.guide }} />
          )
        }
      />
      <SelectionBar selection={selection} nouns={nounWords.contact} total={total}>
        <Suspense>
          <BulkActions
            selection={selection}
            filter={filter}
            rows={list.rows}
            total={total}
            exported={{ filter, sort: variables.sort, columns: exported }}
            isDisabled={isOff}
            onStarted={selection.clear}
          />
        </Suspense>
      </SelectionBar>
      <Suspense>{open && <ContactPanel contactId={open} onClose={panel.close} />}</Suspense>
      <OnceOpen isOpen={isCreating && mayWrite}>
        <CreateContact
          isOpen={isCreating && mayWrite}
          isInAddress
          onClose={panel.close}
          onCreated={() => {
            panel.close()
            list.refresh()
          }}
        />
      </OnceOpen>
    </>
  )
}

const Dropdown = opensLater(() => loadPart(() => import('./more-items.tsx')))

function MoreActions(props: MoreActionsProps) {
  return (
    <Dropdown
      {...props}
      target={
        <ActionIcon aria-label={listWords.more}>
          <IconDots />
        </ActionIcon>
      }
    />
  )
}
