// Actions on the selected contacts: buttons in the bar, or one menu where the bar is narrow. The palette lists them too.

import { useMediaQuery } from '@mantine/hooks'
import {
  IconArrowBackUp,
  IconDownload,
  IconListCheck,
  IconPhoneOff,
  IconProgress,
  IconSparkles,
  IconTag,
  IconTrash,
  IconUser,
} from '@tabler/icons-react'
import { useState } from 'react'
import type { ContactFilter, ContactRowFragment } from '../../generated/operations.ts'
import { contactWords } from '../../language/en/contacts.ts'
import { nounWords } from '../../language/en/values.ts'
import { countText } from '../../language/format.ts'
import { type Action, BarAction } from '../../record-bulk/bar-action.tsx'
import { MoreMenu } from '../../record-bulk/more-menu.tsx'
import { TagForm } from '../../record-bulk/tag-form.tsx'
import { useActionKeys } from '../../record-bulk/use-action-keys.ts'
import { useMe } from '../../session/use-me.ts'
import type { Selection } from '../../table/use-selection.ts'
import { type ExportedList, useExport } from '../use-export.ts'
import { TaskForm } from './task-form.tsx'
import { type Change, useBulk } from './use-bulk.tsx'
import { useChosen } from './use-chosen.ts'
import { CallItems, OwnerItems, RecipeItems, StageItems } from './value-items.tsx'

interface BulkActionsProps {
  selection: Selection
  filter: ContactFilter
  rows: readonly Pick<ContactRowFragment, 'id' | 'deletedAt'>[]
  total: number | null | undefined
  exported: ExportedList
  isDisabled: boolean
  onStarted(): void
}

export default function BulkActions({ isDisabled, exported, onStarted, ...selected }: BulkActionsProps) {
  const bulk = useBulk()
  const { isGuest } = useMe()
  const { download, isRunning } = useExport()
  const { chosen, live, deleted, liveCount, deletedCount, count } = useChosen(selected)
  const [opened, setOpened] = useState<Action['name'] | null>(null)
  const isNarrow = useMediaQuery('(max-width: 75em)', undefined, { getInitialValueInEffect: false })
  const words = contactWords.bulk
  const named = (one: number | null) => (one === null ? words.allThatMatch : countText(one, nounWords.contact))
  const contacts = named(liveCount)
  const start = (started: Promise<boolean>) => {
    setOpened(null)
    void started.then(isStarted => {
      if (isStarted) onStarted()
    })
  }
  const change = (values: Change) => live && start(bulk.change(live, values))

  const ofDeleted: readonly Action[] = deleted
    ? [
        {
          ...{ name: 'restore', label: words.restore, verb: words.verbs.restore(named(deletedCount)), icon: IconArrowBackUp },
          run: () => start(bulk.restore(deleted)),
        },
      ]
    : []
  const ofLive: readonly Action[] = live
    ? [
        {
          ...{ name: 'tag', label: words.tag, verb: words.verbs.tag(contacts), icon: IconTag },
          form: <TagForm onTag={change} />,
        },
        {
          ...{ name: 'owner', label: words.owner, verb: words.verbs.owner(contacts), icon: IconUser },
          items: <OwnerItems onChoose={ownerUserId => change({ ownerUserId })} />,
        },
        {
          ...{ name: 'stage', label: words.stage, verb: words.verbs.stage(contacts), icon: IconProgress },
          items: <StageItems onChoose={lifecycleStage => change({ lifecycleStage })} />,
        },
        {
          ...{ name: 'task', label: words.task, verb: words.newTask(contacts), icon: IconListCheck },
          form: <TaskForm onAdd={task => start(bulk.addTask(live, task))} />,
        },
        {
          ...{ name: 'doNotCall', label: words.doNotCall, verb: words.verbs.calls(contacts), icon: IconPhoneOff },
          items: <CallItems onChoose={doNotCall => change({ doNotCall })} />,
        },
        {
          ...{ name: 'enrich', label: words.enrich, verb: words.verbs.enrich(contacts), icon: IconSparkles },
          items: <RecipeItems onChoose={recipe => start(bulk.enrich(live, recipe))} />,
        },
      ]
    : []
  const save: Action = {
    ...{ name: 'export', label: words.export, verb: words.verbs.export(named(count)), icon: IconDownload },
    isDisabled: isGuest || isRunning,
    run: () => void download({ ...exported, ...chosen }),
  }
  const remove: readonly Action[] = live
    ? [
        {
          ...{ name: 'delete', label: words.delete, verb: words.verbs.delete(contacts), icon: IconTrash, color: 'red' },
          run: () => start(bulk.remove(live)),
        },
      ]
    : []
  const all = [...ofDeleted, ...ofLive, save, ...remove].map(action => ({ isDisabled, ...action }))

  useActionKeys(all, setOpened)
  const opening = { opened, onOpen: setOpened }
  if (!isNarrow) return all.map(action => <BarAction key={action.name} action={action} {...opening} />)
  const [first, ...others] = all
  return (
    <>
      {first && <BarAction action={first} {...opening} />}
      <MoreMenu actions={others} {...opening} />
    </>
  )
}
