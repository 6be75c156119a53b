// Choices for fields: the organization's members, tags, and custom fields. Each list is read at its first use.

import { useMemo } from 'react'
import { useQuery } from 'urql'
import { FieldsOfContactsDocument, OwnersToChooseDocument, TagsToChooseDocument } from '../../generated/documents/contact-record-fields.ts'
import { byLabel } from '../../language/order.ts'
import { type ContactField, contactFields, customField, type Option } from './fields.ts'

const noOptions: readonly Option[] = []

/** Members as options, by their names. */
export function useOwners(): readonly Option[] {
  const [{ data }] = useQuery({ query: OwnersToChooseDocument })
  return useMemo(() => {
    const members = data?.organization.members?.nodes ?? []
    const options = members.flatMap(({ user }) => (user ? [{ value: user.id, label: user.name || user.email || user.id }] : []))
    return options.length > 0 ? options.toSorted(byLabel) : noOptions
  }, [data])
}

/** Names of tags that contain the typed text. */
export function useTagNames(q = ''): readonly string[] {
  const [{ data }] = useQuery({ query: TagsToChooseDocument, variables: { q: q.trim() || null } })
  return useMemo(() => (data?.tags.nodes ?? []).map(({ name }) => name), [data])
}

/** All fields, including the organization's custom fields. */
export function useContactFields(): readonly ContactField[] {
  const [{ data }] = useQuery({ query: FieldsOfContactsDocument })
  return useMemo(() => [...contactFields, ...(data?.customFields ?? []).map(customField)], [data])
}
