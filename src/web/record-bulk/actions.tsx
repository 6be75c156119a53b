// Actions on the selected companies or deals: buttons in the bar, or one menu where the bar is narrow. The palette lists them too.

import { useMediaQuery } from '@mantine/hooks'
import { IconArrowBackUp, IconProgress, IconTag, IconTrash, IconUser } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { OwnerItems } from '../contacts/bulk/value-items.tsx'
import { bulkWords } from '../language/en/contact/bulk.ts'
import { contactWords } from '../language/en/contacts.ts'
import { countText, type Plural } from '../language/format.ts'
import type { Selection } from '../table/use-selection.ts'
import { type Action, BarAction } from './bar-action.tsx'
import { MoreMenu } from './more-menu.tsx'
import { TagForm } from './tag-form.tsx'
import { useActionKeys } from './use-action-keys.ts'

/** Some records by their ids, or all that match a filter. */
type Chosen<Filter> = { ids: string[] } | { filter: Filter }

export interface RecordBulk<Filter> {
  change(chosen: Chosen<Filter>, values: { addTags?: string[]; removeTags?: string[]; ownerUserId?: string | null }): Promise<boolean>
  remove(chosen: Chosen<Filter>): Promise<boolean>
  restore(chosen: Chosen<Filter>): Promise<boolean>
  move?(chosen: Chosen<Filter>, stageId: string): Promise<boolean>
}

export interface RecordActionsProps<Filter> {
  selection: Selection
  filter: Filter
  total: number | null | undefined
  isDisabled: boolean
  /** The list shows deleted ones alone. */
  isTrash: boolean
}

interface ActionsProps<Filter> extends RecordActionsProps<Filter> {
  bulk: RecordBulk<Filter>
  nouns: Plural
  /** The stages to which deals move. */
  moveItems?(onChoose: (stageId: string) => void): ReactNode
}

export function RecordActions<Filter extends { onlyDeleted?: boolean | null }>(props: ActionsProps<Filter>) {
  const { selection, filter, total, isDisabled, isTrash, bulk, nouns, moveItems } = props
  const [opened, setOpened] = useState<Action['name'] | null>(null)
  const isNarrow = useMediaQuery('(max-width: 75em)', undefined, { getInitialValueInEffect: false })
  const words = contactWords.bulk
  const { onlyDeleted: _, ...others } = filter
  // `as`: the filter without one of its optional conditions.
  const chosen: Chosen<Filter> = selection.isEverything ? { filter: others as Filter } : { ids: [...selection.ids] }
  const count = selection.isEverything ? (total ?? null) : selection.ids.size
  const records = count === null ? words.allThatMatch : countText(count, nouns)
  const start = (started: Promise<boolean>) => {
    setOpened(null)
    void started.then(isStarted => {
      if (isStarted) selection.clear()
    })
  }
  const { move } = bulk
  const ofLive: readonly Action[] = [
    {
      ...{ name: 'tag', label: words.tag, verb: words.verbs.tag(records), icon: IconTag },
      form: <TagForm onTag={values => start(bulk.change(chosen, values))} />,
    },
    {
      ...{ name: 'owner', label: words.owner, verb: words.verbs.owner(records), icon: IconUser },
      items: <OwnerItems onChoose={ownerUserId => start(bulk.change(chosen, { ownerUserId }))} />,
    },
    ...(move && moveItems
      ? [
          {
            ...{ name: 'move' as const, label: bulkWords.move, verb: bulkWords.moveVerb(records), icon: IconProgress },
            items: moveItems(stageId => start(move(chosen, stageId))),
          },
        ]
      : []),
    {
      ...{ name: 'delete', label: words.delete, verb: words.verbs.delete(records), icon: IconTrash, color: 'red' },
      run: () => start(bulk.remove(chosen)),
    },
  ]
  const ofDeleted: readonly Action[] = [
    {
      ...{ name: 'restore', label: words.restore, verb: words.verbs.restore(records), icon: IconArrowBackUp },
      run: () => start(bulk.restore(chosen)),
    },
  ]
  const all = (isTrash ? ofDeleted : ofLive).map(action => ({ isDisabled, ...action }))
  useActionKeys(all, setOpened)
  const opening = { opened, onOpen: setOpened }
  if (!isNarrow) return all.map(action => <BarAction key={action.name} action={action} {...opening} />)
  const [first, ...rest] = all
  return (
    <>
      {first && <BarAction action={first} {...opening} />}
      {rest.length > 0 && <MoreMenu actions={rest} {...opening} />}
    </>
  )
}
