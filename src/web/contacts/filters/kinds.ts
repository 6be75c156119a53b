// Every filter of the list: its name, its parameters, the text of its chip, and its editor.

import { rangeText } from '../../address/day-range.ts'
import { type ContactField, customKey, type Option } from '../../contact-record/fields/fields.ts'
import { contactValueValues } from '../../generated/schema.ts'
import { listWords } from '../../language/en/contact/list.ts'
import { contactWords } from '../../language/en/contacts.ts'
import { tableWords } from '../../language/en/frame.ts'
import { fieldWords } from '../../language/en/values.ts'
import { fieldLabel, optionsOf } from '../../language/values.ts'
import { dayText } from '../../language/zone.ts'
import { type CustomCondition, readCondition } from './custom.ts'
import type { FilterName, FilterSearch } from './search.ts'

type NameOf<Value> = { [Name in FilterName]: NonNullable<FilterSearch[Name]> extends Value ? Name : never }[FilterName]

/** The data of the filter's editor. The editors are loaded when the first chip opens. */
type FilterEditor =
  | { kind: 'choices'; name: NameOf<readonly string[]>; options: readonly Option[] }
  | { kind: 'texts'; name: 'company' | 'domain' | 'city' | 'country' }
  | { kind: 'days'; name: 'added' | 'changed' | 'contacted' }
  | { kind: 'flag'; name: 'doNotCall' | 'deleted'; options: Readonly<Record<string, string>> }
  | { kind: 'tags' }
  | { kind: 'import' }
  | { kind: 'company' }
  | { kind: 'custom'; field: ContactField; fieldKey: string }

export interface FilterKind {
  id: string
  label: string
  /** The chip's text after the label; empty for a filter without a value. */
  says(search: FilterSearch): string
  /** The change that clears the filter. */
  clear(search: FilterSearch): FilterSearch
  editor: FilterEditor
  /** A filter that only a link sets. */
  isHidden?: true
}

const listText = (values: readonly string[]) =>
  values.length > 2 ? `${values.slice(0, 2).join(', ')} +${values.length - 2}` : values.join(', ')

function choices(id: NameOf<readonly string[]>, label: string, options: readonly Option[]): FilterKind {
  const labelOf = (value: string) => options.find(option => option.value === value)?.label ?? value
  return {
    id,
    label,
    says: search => listText((search[id] ?? []).map(labelOf)),
    clear: () => ({ [id]: undefined }),
    editor: { kind: 'choices', name: id, options },
  }
}

function textsFilter(id: 'company' | 'domain' | 'city' | 'country', label: string): FilterKind {
  return {
    id,
    label,
    says: search => listText(search[id] ?? []),
    clear: () => ({ [id]: undefined }),
    editor: { kind: 'texts', name: id },
  }
}

function days(id: 'added' | 'changed' | 'contacted', label: string): FilterKind {
  return {
    id,
    label,
    says: search => rangeText(search[id]),
    clear: () => ({ [id]: undefined }),
    editor: { kind: 'days', name: id },
  }
}

function flag(id: 'doNotCall' | 'deleted', label: string, options: Readonly<Record<string, string>>): FilterKind {
  return {
    id,
    label,
    says: search => options[String(search[id])] ?? '',
    clear: () => ({ [id]: undefined }),
    editor: { kind: 'flag', name: id, options },
  }
}

const tags: FilterKind = {
  id: 'tag',
  label: fieldWords.tags,
  says: ({ tag, tagAll }) => (tagAll ? listWords.filter.allOf(listText(tagAll)) : listText(tag ?? [])),
  clear: () => ({ tag: undefined, tagAll: undefined }),
  editor: { kind: 'tags' },
}

const imported: FilterKind = {
  id: 'import',
  label: listWords.filter.import,
  says: search => (search.import ? listWords.filter.oneFile : ''),
  clear: () => ({ import: undefined }),
  editor: { kind: 'import' },
  isHidden: true,
}

const company: FilterKind = {
  id: 'companyId',
  label: fieldWords.companyId,
  // The chip shows the name.
  says: ({ companyId }) => companyId ?? '',
  clear: () => ({ companyId: undefined }),
  editor: { kind: 'company' },
}

function custom(field: ContactField, fieldKey: string): FilterKind {
  const says = ({ operator, value }: CustomCondition) => {
    if (operator === 'since') return tableWords.days.since(dayText(value))
    if (operator === 'until') return tableWords.days.until(dayText(value))
    const words: Readonly<Record<string, string>> = {
      min: `≥ ${value}`,
      max: `≤ ${value}`,
      empty: listWords.filter.noValue,
      filled: listWords.filter.anyValue,
    }
    return words[operator] ?? value
  }
  const isOwn = (text: string) => readCondition(text)?.key === fieldKey
  return {
    id: field.id,
    label: field.label,
    says: search =>
      listText(
        (search.custom ?? [])
          .filter(isOwn)
          .flatMap(text => readCondition(text) ?? [])
          .map(says),
      ),
    clear: search => {
      const kept = (search.custom ?? []).filter(text => !isOwn(text))
      return { custom: kept.length > 0 ? kept : undefined }
    },
    editor: { kind: 'custom', field, fieldKey },
  }
}

const emptiable = contactValueValues.map(value => ({ value, label: fieldLabel(value.toLowerCase()) }))

/** All filters, including the filters on the organization's custom fields. */
export function filterKinds(owners: readonly Option[], fields: readonly ContactField[]): FilterKind[] {
  const own = fields.flatMap(field => {
    const key = customKey(field.id)
    return key === null ? [] : [custom(field, key)]
  })
  return [
    choices('stage', fieldWords.lifecycleStage, optionsOf(contactWords.stage)),
    choices('owner', fieldWords.ownerUserId, owners),
    tags,
    company,
    textsFilter('company', listWords.filter.companyName),
    textsFilter('domain', listWords.filter.domain),
    textsFilter('city', fieldWords.city),
    textsFilter('country', fieldWords.country),
    flag('doNotCall', contactWords.kinds.calls, { true: listWords.filter.doNotCall, false: listWords.filter.mayCall }),
    choices('source', fieldWords.source, optionsOf(contactWords.source)),
    days('added', fieldWords.createdAt),
    days('changed', fieldWords.updatedAt),
    days('contacted', fieldWords.lastContactedAt),
    choices('empty', listWords.filter.without, emptiable),
    choices('filled', listWords.filter.with, emptiable),
    ...own,
    imported,
    flag('deleted', contactWords.trash.deletedAt, { only: listWords.filter.onlyDeleted, true: listWords.filter.withDeleted }),
  ]
}
