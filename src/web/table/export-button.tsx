// The button that downloads the records of a list as a file.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useDownload } from '../data/use-download.ts'
import { exportWords } from '../language/en/inputs/exports.ts'
import { useIsAway } from '../live/connectivity.ts'
import { useMe } from '../session/use-me.ts'

interface ExportButtonProps<Data, Input> {
  document: TypedDocumentNode<Data, { input: Input & { byteOrderMark: true } }>
  linkOf(data: Data): { url: string; fileName: string }
  /** The filter and the order of the list. */
  list: Input
  /** The noun, in its plural. */
  records: string
  isFiltered: boolean
}

export function ExportButton<Data, Input extends object>({ document, linkOf, list, records, isFiltered }: ExportButtonProps<Data, Input>) {
  const { isGuest } = useMe()
  const isAway = useIsAway()
  const { download, isRunning } = useDownload(document, linkOf, exportWords)
  const label = isGuest ? exportWords.signUp : isFiltered ? exportWords.matching(records) : exportWords.all(records)
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={label}
        disabled={isGuest || isAway || isRunning}
        // Without a byte order mark Excel guesses another encoding.
        onClick={() => void download({ input: { ...list, byteOrderMark: true } })}
      >
        <IconDownload />
      </ActionIcon>
    </Tooltip>
  )
}
