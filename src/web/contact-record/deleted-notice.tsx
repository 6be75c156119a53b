// Says that a contact or a company is deleted, and since when. The buttons above restore it.

import { Alert } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { recordWords } from '../language/en/contact/record.ts'
import { Time } from '../pieces/time.tsx'

export function DeletedNotice({ at, keeps = recordWords.keepsAll }: { at: string; keeps?: string }) {
  return (
    <Alert color="amber" icon={<IconTrash />} radius={0}>
      {recordWords.deleted} <Time at={at} />. {keeps}
    </Alert>
  )
}
