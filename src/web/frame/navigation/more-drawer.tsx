// The other places on a phone, behind "More".

import { Drawer, Menu } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { frameWords } from '../../language/en/frame.ts'
import { pieceWords } from '../../language/en/shared/pieces.ts'
import { useBack } from '../floating/use-back.ts'
import { NavItem } from '../nav-item.tsx'
import { NavLinkTo } from '../nav-link-to.tsx'
import { PersonItems } from './person-items.tsx'
import { developersIcon as DevelopersIcon, developerPages, enrichmentPlaces, lastPlaces, morePlaces, placesBesideBar } from './places.ts'
import { useWaiting } from './use-waiting.ts'
import { WaitingCount } from './waiting.tsx'

const rest = [...placesBesideBar, ...enrichmentPlaces, ...morePlaces, ...lastPlaces]

interface MoreDrawerProps {
  isOpen: boolean
  onClose(): void
  onSearch(): void
}

export default function MoreDrawer({ isOpen, onClose, onSearch }: MoreDrawerProps) {
  const waiting = useWaiting()
  useBack(isOpen, onClose)
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="bottom"
      size="auto"
      title={frameWords.more}
      closeButtonProps={{ 'aria-label': pieceWords.close }}
    >
      <NavItem
        component="button"
        label={frameWords.search}
        leftSection={<IconSearch size={20} />}
        onClick={() => {
          onClose()
          onSearch()
        }}
      />
      {rest.map(({ to, label, icon: Icon }) => (
        <NavLinkTo
          key={to}
          to={to}
          replace
          label={label}
          leftSection={<Icon size={20} />}
          rightSection={<WaitingCount waiting={waiting[to]} />}
          onClick={onClose}
        />
      ))}
      {developerPages.map(({ href, label }) => (
        <NavItem key={href} href={href} label={label} leftSection={<DevelopersIcon size={20} />} />
      ))}
      {/* Entries of a menu, reached by Tab like the links above them. */}
      <Menu menuItemTabIndex={0}>
        <div role="menu" aria-label={frameWords.you}>
          <PersonItems />
        </div>
      </Menu>
    </Drawer>
  )
}
