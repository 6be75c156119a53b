// A link to the page of a record.

import type { AnchorProps } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import { AnchorLink } from '../pieces/links.tsx'
import type { RecordRef } from './ref.ts'
import { wayToRecord } from './way.ts'

interface RecordLinkProps extends AnchorProps {
  record: RecordRef
  /** Leads to the notes of the record: to this anchor, or to their beginning. */
  note?: string | true
  tabIndex?: number
  onClick?(event: MouseEvent): void
  children: ReactNode
}

export const RecordLink = ({ record, note, ...props }: RecordLinkProps) => <AnchorLink {...wayToRecord(record, note)} {...props} />
