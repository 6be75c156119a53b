// Imports: the place to drop a file, and the list of earlier imports.

import { Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { DroppedFilters } from '../address/dropped-filters.tsx'
import { useConnection } from '../data/use-connection.ts'
import { Header } from '../frame/header.tsx'
import { ImportsDocument } from '../generated/documents/imports.ts'
import type { AgeSort } from '../generated/schema.ts'
import { importWords } from '../language/en/inputs/imports.ts'
import type { Change } from '../live/change.ts'
import { useMe } from '../session/use-me.ts'
import { ListTable } from '../table/list-table.tsx'
import { importCards, importColumns } from './columns.tsx'
import { DropFile } from './drop-file.tsx'
import { importsListRoute } from './route.tsx'

const isChangedBy = ({ type }: Change) => type === 'CONTACT_IMPORT_CREATED'

export function ImportsScreen() {
  const navigate = useNavigate()
  const { sort = 'CREATED_AT_DESC' } = importsListRoute.useSearch()
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const { isGuest, isOff } = useMe()
  const list = useConnection({ document: ImportsDocument, variables: { sort, first: 50 }, pick: data => data.contactImports, isChangedBy })
  const open = (importId: string) => void navigate({ to: '/imports/$importId', params: { importId } })
  return (
    <>
      <Header title={importWords.title} />
      <DroppedFilters />
      <DropFile isDisabled={isOff} isGuest={isGuest} onUploaded={open} />
      <ListTable
        name={isPhone ? 'imports on a phone' : 'imports'}
        key={isPhone ? 'cards' : 'table'}
        label={importWords.title}
        columns={isPhone ? importCards : importColumns}
        list={list}
        onOpen={({ id }) => open(id)}
        sort={sort}
        onSort={next => void navigate({ to: '/imports', search: { sort: next as AgeSort }, replace: true })}
        empty={
          <Text c="dimmed" ta="center" p="xl">
            {importWords.empty}
          </Text>
        }
      />
    </>
  )
}
