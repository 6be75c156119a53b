// Says that a contact is deleted, and since when. The buttons above restore it.

import { Alert } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { Time } from '../pieces/time.tsx'

export function DeletedNotice({ at }: { at: string }) {
  return (
    <Alert color="amber" icon={<IconTrash />} radius={0}>
      Deleted <Time at={at} />. Nothing of it is lost: restore it to change it again.
    </Alert>
  )
}
