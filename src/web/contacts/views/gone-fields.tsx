// Names the parts of a view or an address that this list cannot show: deleted fields, and filters that only the API supports. Without the notice
// a view on a deleted field would silently show no contact, or too many.

import { Alert, Button, Group, Text } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { useQuery } from 'urql'
import { customField } from '../../contact-record/fields/fields.ts'
import { useMutationWithProblems } from '../../data/use-write.ts'
import { FieldsOfContactsDocument } from '../../generated/documents/contact-record-fields.ts'
import { ChangeViewOfContactsDocument } from '../../generated/documents/contacts-views.ts'
import { goneWords } from '../../language/en/contact/gone.ts'
import { fieldLabel } from '../../language/values.ts'
import { tellRefusal } from '../../pieces/notices/refusal.tsx'
import { useMe } from '../../session/use-me.ts'
import { readCondition } from '../filters/custom.ts'
import { type FilterSearch, searchOf } from '../filters/search.ts'
import { filterIn, type View } from '../../saved-views/view.ts'

interface GoneFieldsProps {
  view: View | undefined
  search: FilterSearch
  onChange(change: FilterSearch): void
}

export default function GoneFields({ view, search, onChange }: GoneFieldsProps) {
  const [{ data }] = useQuery({ query: FieldsOfContactsDocument })
  const change = useMutationWithProblems(ChangeViewOfContactsDocument)
  const { isOff } = useMe()
  if (!data) return null
  const known = new Set(data.customFields.map(field => customField(field).id))
  const isGone = (id: string) => id.startsWith('custom.') && !known.has(id)
  const isGoneCondition = (text: string) => isGone(`custom.${readCondition(text)?.key ?? ''}`)
  const filtered = unique((search.custom ?? []).filter(isGoneCondition).map(text => `custom.${readCondition(text)?.key}`))
  const columns = (view?.columns ?? []).filter(id => isGone(id) && !filtered.includes(id))
  const ofApi = view ? searchOf(filterIn(view)).unknown : []
  if (filtered.length + columns.length + ofApi.length === 0) return null

  const kept = (search.custom ?? []).filter(text => !isGoneCondition(text))
  const leaveOut = () => onChange({ custom: kept.length > 0 ? kept : undefined })
  const removeFrom = async ({ id, version, ...saved }: View) => {
    const { custom, ...others } = filterIn(saved)
    const rest = custom?.filter(({ key }) => !isGone(`custom.${key}`)) ?? []
    const conditions = { contacts: { ...others, ...(rest.length > 0 && { custom: rest }) } }
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
          {ofApi.length > 0 && <Text size="sm">{goneWords.ofApi(what, listText(ofApi))}</Text>}
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

const unique = (ids: readonly string[]) => [...new Set(ids)]
const listText = (ids: readonly string[]) => ids.map(id => `"${fieldLabel(id.replace(/In$/, ''))}"`).join(goneWords.and)
