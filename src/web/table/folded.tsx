// Filters that a phone shows behind a button, because they would take half of its screen.

import { Button } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconFilter } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { tableWords } from '../language/en/frame.ts'

/** `isUsed`: one of the filters is set. */
export function Folded({ isUsed, children }: { isUsed: boolean; children: ReactNode }) {
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const [isUnfolded, { toggle }] = useDisclosure(false)
  return (
    <>
      {isPhone && (
        <Button variant={isUsed ? 'light' : 'default'} leftSection={<IconFilter size={14} />} aria-expanded={isUnfolded} onClick={toggle}>
          {tableWords.filters}
        </Button>
      )}
      {(!isPhone || isUnfolded) && children}
    </>
  )
}
