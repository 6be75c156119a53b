// The button that downloads the records of a list as a file.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { loadPart } from '../app/loaded.ts'
import { useDownload } from '../data/use-download.ts'
import { exportWords } from '../language/en/inputs/exports.ts'
import { useIsAway } from '../live/connectivity.ts'
import { opensLater } from '../pieces/opens-later.tsx'
import { useMe } from '../session/use-me.ts'

interface ExportButtonProps<Data, Input> {
  document: TypedDocumentNode<Data, { input: Input & { byteOrderMark: true } }>
  linkOf(data: Data): { url: string; fileName: string }
  /** The filter and the order of the list. */
  list: Input
  /** The noun, in its plural. */
  records: string
  isFiltered: boolean
  /** The columns of the current view; undefined where there is none. */
  columns?: readonly string[] | undefined
}

const Choices = opensLater(() => loadPart(() => import('./menus/export-choices.tsx')))

export function ExportButton<Data, Input extends object>(props: ExportButtonProps<Data, Input>) {
  const { document, linkOf, list, records, isFiltered, columns = [] } = props
  const { isGuest } = useMe()
  const isAway = useIsAway()
  const { download, isRunning } = useDownload(document, linkOf, exportWords)
  const isView = columns.length > 0 && !isGuest
  const label = isGuest
    ? exportWords.signUp
    : isView
      ? exportWords.export
      : isFiltered
        ? exportWords.matching(records)
        : exportWords.all(records)
  // Without a byte order mark Excel guesses another encoding.
  const save = (some?: { columns: string[] }) => void download({ input: { ...list, ...some, byteOrderMark: true } })
  const button = (onClick?: () => void) => (
    <ActionIcon variant="default" size={36} aria-label={label} disabled={isGuest || isAway || isRunning} onClick={onClick}>
      <IconDownload />
    </ActionIcon>
  )
  if (isView) return <Choices onView={() => save({ columns: [...columns] })} onAll={() => save()} target={button()} />
  return <Tooltip label={label}>{button(() => save())}</Tooltip>
}
