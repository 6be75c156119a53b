// Beside the title: the current view, the menu of views, and the actions on the view.

import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { IconChevronDown, IconDots } from '@tabler/icons-react'
import { lazy, useState } from 'react'
import { loadPart } from '../app/loaded.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { OnceOpen } from '../frame/once-open.tsx'
import { ChangeViewOfContactsDocument } from '../generated/documents/contacts-views.ts'
import { listWords } from '../language/en/contact/list.ts'
import { contactWords } from '../language/en/contacts.ts'
import { useIsAway } from '../live/connectivity.ts'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import { opensLater } from '../pieces/opens-later.tsx'
import { useMe } from '../session/use-me.ts'
import { isFiltered } from '../contacts/filters/search.ts'
import { definitionOf, isChanged, type ListState, type View } from './view.ts'

const ChooseView = opensLater(() => loadPart(() => import('./choose.tsx')))
const ChangeView = opensLater(() => loadPart(() => import('./change.tsx')))
const SaveView = lazy(() => loadPart(() => import('./save.tsx')))

interface ViewsMenuProps {
  views: readonly View[]
  current: View | undefined
  state: ListState
  /** Null for all contacts. */
  onChoose(view: View | null): void
  onDeleted(): void
  isPhone: boolean
}

export function ViewsMenu({ views, current, state, onChoose, onDeleted, isPhone }: ViewsMenuProps) {
  const [dialog, setDialog] = useState<'new' | 'change' | null>(null)
  const { isGuest } = useMe()
  const isAway = useIsAway()
  const mayNot = isAway || isGuest
  const change = useMutationWithProblems(ChangeViewOfContactsDocument)
  const isDirty = current !== undefined && isChanged(current, state)
  const saveChanges = async ({ id, version }: View) => {
    const { failure } = await change.run({ input: { id, ifVersion: version, ...definitionOf(state) } })
    if (failure) tellRefusal(listWords.views.notSaved, failure)
  }
  const onSave = isDirty ? () => void saveChanges(current) : undefined
  const changing = current && {
    ...{ view: current, mayNot, onSave },
    onChange: () => setDialog('change'),
    onDeleted: () => onChoose(null),
  }
  return (
    // On a narrow screen the view's name is cut, and not the title.
    <Group gap={4} wrap="nowrap" miw={0} flex="0 1000 auto" data-names-screen={(current || state.search.deleted) && true}>
      <ChooseView
        views={views}
        isGuest={isGuest}
        mayNot={mayNot}
        onChoose={onChoose}
        onDeleted={onDeleted}
        onSave={() => setDialog('new')}
        current={isPhone && changing ? changing : null}
        target={
          <Button variant="subtle" color="gray" maw={240} rightSection={<IconChevronDown size={14} />}>
            <Text span size="sm" truncate>
              {current?.name ?? (state.search.deleted === 'only' ? listWords.views.deleted : listWords.views.all)}
            </Text>
          </Button>
        }
      />
      {!current && isFiltered(state.search) && state.search.deleted !== 'only' && (
        <Button variant="light" disabled={mayNot} onClick={() => setDialog('new')} visibleFrom="sm">
          {contactWords.saveAsView}
        </Button>
      )}
      {onSave && (
        <Button variant="light" disabled={mayNot} loading={change.isRunning} onClick={onSave} visibleFrom="sm">
          {listWords.views.saveChanges}
        </Button>
      )}
      {changing && !isPhone && (
        <ChangeView
          {...changing}
          target={
            <ActionIcon aria-label={listWords.views.changeNamed(changing.view.name)} variant={isDirty ? 'light' : undefined}>
              <IconDots />
            </ActionIcon>
          }
        />
      )}
      <OnceOpen isOpen={dialog !== null}>
        <SaveView
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
