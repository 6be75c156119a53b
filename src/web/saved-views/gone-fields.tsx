// Names the deleted fields of a view or an address. Without the notice a view on a deleted field would silently show nothing.

import { Alert, Button, Group, Text } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { useQuery } from 'urql'
import { customField } from '../contact-record/fields/fields.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { goneWords } from '../language/en/views/gone-fields.ts'
import { fieldLabel } from '../language/values.ts'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import { useMe } from '../session/use-me.ts'
import type { View, ViewKind } from './kind.ts'
import { filterIn } from './view.ts'

interface GoneFieldsProps {
  kind: ViewKind
  view: View | undefined
  /** The keys of the custom fields that the address filters by. */
  keys?: readonly string[] | undefined
  /** Removes the filters by these custom fields from the address. */
  onWithout?(keys: readonly string[]): void
}

export default function GoneFields({ kind, view, keys = [], onWithout }: GoneFieldsProps) {
  const [{ data }] = useQuery({ query: kind.fields, variables: {} })
  const change = useMutationWithProblems(kind.change)
  const { isOff } = useMe()
  if (!data) return null
  const known = new Set(data.customFields.map(field => customField(field).id))
  const isGone = (id: string) => id.startsWith('custom.') && !known.has(id)
  const filtered = [...new Set(keys.map(key => `custom.${key}`).filter(isGone))]
  const columns = (view?.columns ?? []).filter(id => isGone(id) && !filtered.includes(id))
  if (filtered.length + columns.length === 0) return null

  const leaveOut = () => onWithout?.(filtered.map(id => id.replace('custom.', '')))
  const removeFrom = async ({ id, version, ...saved }: View) => {
    const { custom = [], ...others }: { custom?: { key: string }[] } = filterIn(saved)
    const rest = custom.filter(({ key }) => !isGone(`custom.${key}`))
    const conditions = kind.conditionsOf({ ...others, ...(rest.length > 0 && { custom: rest }) })
    const columns = saved.columns.filter(one => !isGone(one))
    const { failure } = await change.run({ input: { id, ifVersion: version, conditions, columns } })
    if (failure) return tellRefusal(goneWords.notChanged, failure)
    if (filtered.length > 0) leaveOut()
  }
  const what = view ? goneWords.view(view.name) : goneWords.address
  return (
    <Alert color="amber" icon={<IconFilterOff />} radius={0}>
      <Group justify="space-between" gap="xs">
        <div>
          {filtered.length > 0 && <Text size="sm">{goneWords.filters(what, listText(filtered))}</Text>}
          {columns.length > 0 && <Text size="sm">{goneWords.columns(what, listText(columns))}</Text>}
        </div>
        {filtered.length > 0 && (
          <Button variant="default" onClick={leaveOut}>
            {goneWords.without}
          </Button>
        )}
        {view && filtered.length + columns.length > 0 && (
          <Button variant="default" disabled={isOff} loading={change.isRunning} onClick={() => void removeFrom(view)}>
            {goneWords.remove}
          </Button>
        )}
      </Group>
    </Alert>
  )
}

const listText = (ids: readonly string[]) => ids.map(id => `"${fieldLabel(id)}"`).join(goneWords.and)
