// Beside the title: the current view, the menu of views, and the actions on the view.

import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { IconChevronDown, IconDots } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { OnceOpen } from '../frame/once-open.tsx'
import { viewWords } from '../language/en/views/title.ts'
import { useIsAway } from '../live/connectivity.ts'
import { opensLater } from '../pieces/opens-later.tsx'
import { useMe } from '../session/use-me.ts'
import type { View, ViewKind } from './kind.ts'
import { loadForm, loadMenus } from './later.ts'
import { isChanged, type ListState } from './view.ts'

const ChooseView = opensLater(async () => ({ default: (await loadMenus()).ChooseView }))
const ChangeView = opensLater(async () => ({ default: (await loadMenus()).ChangeView }))
const SaveChanges = lazy(async () => ({ default: (await loadMenus()).SaveChanges }))
const SaveView = lazy(loadForm)

interface ViewsMenuProps {
  kind: ViewKind
  views: readonly View[]
  current: View | undefined
  state: ListState
  /** Null for all records. */
  onChoose(view: View | null): void
  onDeleted(): void
  isPhone: boolean
}

export function ViewsMenu({ kind, views, current, state, onChoose, onDeleted, isPhone }: ViewsMenuProps) {
  const [dialog, setDialog] = useState<'new' | 'change' | null>(null)
  const { isGuest } = useMe()
  const records = kind.nouns.other
  const isOfDeleted = kind.isOfDeleted(state.search)
  const isAway = useIsAway()
  const mayNot = isAway || isGuest
  const isDirty = current !== undefined && isChanged(kind, current, state)
  const changing = current && {
    ...{ kind, view: current, state, mayNot, isDirty },
    onChange: () => setDialog('change'),
    onDeleted: () => onChoose(null),
  }
  return (
    // On a narrow screen the view's name is cut, and not the title.
    <Group gap={4} wrap="nowrap" miw={0} flex="0 1000 auto" data-names-screen={(current || isOfDeleted) && true}>
      <ChooseView
        views={views}
        records={records}
        isGuest={isGuest}
        mayNot={mayNot}
        onChoose={onChoose}
        onDeleted={onDeleted}
        onSave={() => setDialog('new')}
        current={isPhone && changing ? changing : null}
        target={
          <Button variant="subtle" color="gray" maw={240} rightSection={<IconChevronDown size={14} />}>
            <Text span size="sm" truncate>
              {current?.name ?? (isOfDeleted ? viewWords.deleted(records) : viewWords.all(records))}
            </Text>
          </Button>
        }
      />
      {!current && (kind.isFiltered(state.search) || state.sort !== undefined) && !isOfDeleted && (
        <Button variant="light" disabled={mayNot} onClick={() => setDialog('new')} visibleFrom="sm">
          {viewWords.saveAsView}
        </Button>
      )}
      {current && isDirty && (
        <Suspense>
          <SaveChanges kind={kind} view={current} state={state} mayNot={mayNot} />
        </Suspense>
      )}
      {changing && !isPhone && (
        <ChangeView
          {...changing}
          target={
            <ActionIcon aria-label={viewWords.changeNamed(changing.view.name)} variant={isDirty ? 'light' : undefined}>
              <IconDots />
            </ActionIcon>
          }
        />
      )}
      <OnceOpen isOpen={dialog !== null}>
        <SaveView
          kind={kind}
          view={dialog === 'change' ? current : undefined}
          isOpen={dialog !== null}
          state={state}
          onClose={() => setDialog(null)}
          onSaved={view => {
            setDialog(null)
            onChoose(view)
          }}
        />
      </OnceOpen>
    </Group>
  )
}
