// The bottom bar of a phone: four places, and "More" for the others.

import { Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy } from 'react'
import { loadPart } from '../../app/loaded.ts'
import { frameWords } from '../../language/en/frame.ts'
import { OnceOpen } from '../once-open.tsx'
import classes from './bottom-bar.module.css'
import { barPlaces } from './places.ts'
import { useWaiting } from './use-waiting.ts'
import { WaitingCount } from './waiting.tsx'

const MoreDrawer = lazy(() => loadPart(() => import('./more-drawer.tsx')))

export function BottomBar({ onSearch }: { onSearch(): void }) {
  const waiting = useWaiting()
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <>
      <div className={classes.bar}>
        {barPlaces.map(({ to, label, icon: Icon }) => (
          <Link key={to} to={to} className={classes.item}>
            <Icon size={20} aria-hidden />
            <Text size="xs">
              {label} <WaitingCount waiting={waiting[to]} />
            </Text>
          </Link>
        ))}
        <UnstyledButton className={classes.item} onClick={open} aria-haspopup="dialog">
          <IconDots size={20} aria-hidden />
          <Text size="xs">{frameWords.more}</Text>
        </UnstyledButton>
      </div>
      <OnceOpen isOpen={isOpen}>
        <MoreDrawer isOpen={isOpen} onClose={close} onSearch={onSearch} />
      </OnceOpen>
    </>
  )
}
