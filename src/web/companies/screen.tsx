// The list of companies. The address holds its state, a connection reads its rows, and a table shows them. A row opens its page.

import { Button, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconGitMerge, IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useQuery } from 'urql'
import { DroppedFilters } from '../address/dropped-filters.tsx'
import { loadPart } from '../app/loaded.ts'
import { useCompanyFields } from '../company-record/fields.ts'
import { useConnection } from '../data/use-connection.ts'
import { Header } from '../frame/header.tsx'
import { OnceOpen } from '../frame/once-open.tsx'
import { usePanelAddress } from '../frame/use-panel-address.ts'
import { CompaniesCountDocument, CompaniesDocument, CreateCompanyExportDocument } from '../generated/documents/companies.ts'
import type { CompanySort } from '../generated/schema.ts'
import { useShortcut } from '../keyboard/shortcuts.ts'
import { companyWords } from '../language/en/companies.ts'
import { frameWords } from '../language/en/frame.ts'
import { nounWords } from '../language/en/values.ts'
import type { Change } from '../live/change.ts'
import { ActionIconLink } from '../pieces/links.tsx'
import { Empty, NoMatch } from '../pieces/states/empty.tsx'
import type { View } from '../saved-views/kind.ts'
import { loadBeside, loadGoneFields } from '../saved-views/later.ts'
import { ViewsMenu } from '../saved-views/menu.tsx'
import { useBeside } from '../saved-views/use-beside.ts'
import { useViews } from '../saved-views/use-views.ts'
import { addressOf } from '../saved-views/view.ts'
import { useMe } from '../session/use-me.ts'
import { ExportButton } from '../table/export-button.tsx'
import { ListTable } from '../table/list-table.tsx'
import { SelectionBar } from '../table/selection-bar.tsx'
import { useSelection } from '../table/use-selection.ts'
import { columnsOf, exportedColumns } from './columns.tsx'
import { Filters, filterOf, isFiltered, noFilters } from './filters.tsx'
import { companiesRoute } from './route.tsx'
import { companyViews } from './views.ts'

const CompanyActions = lazy(() => loadPart(() => import('../record-bulk/company-actions.tsx')))
const CreateCompany = lazy(() => loadPart(() => import('./create-company.tsx')))

const BesideChips = lazy(loadBeside)
const GoneFields = lazy(loadGoneFields)

const pageSize = 100
const isChangedBy = ({ type }: Change) =>
  /^(COMPANY_(CREATED|DELETED|RESTORED|MERGED|UNMERGED|BULK_CHANGE_\w+)|CONTACT_IMPORT_\w*(PROGRESSED|COMPLETED|UNDONE)$|TAG_)/.test(type)

export function CompaniesScreen() {
  const { sort, view: viewId, new: isCreating = false, ...search } = companiesRoute.useSearch()
  const navigate = useNavigate({ from: companiesRoute.fullPath })
  const { mayWrite, isGuest, isOff } = useMe()
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const fields = useCompanyFields()
  const mayEdit = search.deleted !== true
  const [shownColumns, setShownColumns] = useState<readonly string[]>([])

  const selection = useSelection()
  const change = (next: Partial<ReturnType<typeof companiesRoute.useSearch>>) => {
    selection.clear()
    void navigate({ search: before => ({ ...before, ...next }), replace: true })
  }
  const choose = (view: View | null) => change(view ? addressOf(companyViews, view) : { ...noFilters, sort: undefined, view: undefined })
  const { views, current, isAwaited } = useViews({
    kind: companyViews,
    viewId,
    isPlain: !isFiltered(search) && sort === undefined && !isCreating,
    onDefault: choose,
  })
  const columns = useMemo(() => columnsOf(fields, mayEdit, current?.columns ?? []), [fields, mayEdit, current])
  const beside = useBeside(companyViews, current)
  const filter = beside.within(filterOf(search))
  const variables = { filter, sort: sort ?? ('CREATED_AT_DESC' as const), first: pageSize }
  const list = useConnection({ document: CompaniesDocument, variables, pick: data => data.companies, isChangedBy, isPaused: isAwaited })
  // A separate, later query counts the rows: the rows never wait for the count.
  const [{ data: counted }] = useQuery({
    query: CompaniesCountDocument,
    variables: { filter },
    pause: isAwaited || list.isLoading || list.isStale,
  })

  const panel = usePanelAddress(isCreating, () => change({ new: undefined }))
  const startCreating = () => void navigate({ search: before => ({ ...before, new: true }), ...panel.opening })
  const open = (companyId: string, replace: boolean) => void navigate({ to: '/companies/$companyId', params: { companyId }, replace })
  useShortcut('C', companyWords.create.title, startCreating, { isOn: mayWrite })
  const create = (
    <Button leftSection={<IconPlus />} disabled={isOff} onClick={startCreating}>
      {isPhone ? (isGuest ? companyWords.signUp : companyWords.new) : isGuest ? companyWords.signUpToAdd : companyWords.create.title}
    </Button>
  )
  const exporting = (
    <ExportButton
      document={CreateCompanyExportDocument}
      linkOf={data => data.createCompanyExport}
      list={{ filter, sort: variables.sort }}
      records={nounWords.company.other}
      isFiltered={isFiltered(search)}
      columns={current && exportedColumns(current.columns, shownColumns)}
    />
  )
  return (
    <>
      <Header
        title={frameWords.places.companies}
        views={
          <ViewsMenu
            kind={companyViews}
            views={views}
            current={current}
            state={{ search, beside: beside.conditions, sort, columns: shownColumns }}
            onChoose={choose}
            onDeleted={() => change({ ...noFilters, deleted: true, view: undefined })}
            isPhone={isPhone ?? false}
          />
        }
        actions={
          <>
            <Tooltip label={companyWords.duplicates}>
              <ActionIconLink
                to="/duplicates"
                search={{ of: 'companies' }}
                variant="default"
                size={36}
                aria-label={companyWords.duplicates}
                visibleFrom="xs"
              >
                <IconGitMerge />
              </ActionIconLink>
            </Tooltip>
            {exporting}
            {create}
          </>
        }
      />
      <DroppedFilters />
      {current && (
        <Suspense fallback={null}>
          <GoneFields kind={companyViews} view={current} />
        </Suspense>
      )}
      <Filters search={search} total={counted?.companies.totalCount} onChange={change}>
        {beside.isAny && (
          <Suspense>
            <BesideChips {...beside} />
          </Suspense>
        )}
      </Filters>
      <ListTable
        // Each view has its own columns, and the table reads them when it is mounted.
        key={`${current?.id} ${current?.version} ${fields.length} ${mayEdit}`}
        name={current ? `companies ${current.id} ${current.version}` : 'companies'}
        label={frameWords.places.companies}
        columns={columns}
        onColumns={setShownColumns}
        list={list}
        onOpen={({ id }) => open(id, false)}
        sort={variables.sort}
        onSort={next => change({ sort: next as CompanySort })}
        selection={selection}
        empty={
          isFiltered(search) || beside.isAny ? (
            <NoMatch
              sentence={search.deleted ? companyWords.noDeleted : companyWords.noMatch}
              onClear={() => (beside.isAny ? choose(null) : change(noFilters))}
            />
          ) : (
            <Empty sentence={companyWords.empty} action={create} />
          )
        }
      />
      <SelectionBar selection={selection} nouns={nounWords.company} total={counted?.companies.totalCount}>
        <Suspense>
          <CompanyActions
            selection={selection}
            filter={filter}
            total={counted?.companies.totalCount}
            isDisabled={isOff}
            isTrash={!mayEdit}
          />
        </Suspense>
      </SelectionBar>
      <OnceOpen isOpen={isCreating && mayWrite}>
        <CreateCompany isOpen={isCreating && mayWrite} onClose={panel.close} onCreated={id => open(id, true)} />
      </OnceOpen>
    </>
  )
}
