// The mark of an organization: the first letter of its name.

import { Avatar } from '@mantine/core'

export const Mark = ({ name }: { name: string }) => (
  <Avatar size={18} mx={-1} radius="sm" color="green" variant="filled" aria-hidden>
    {Array.from(name.trim())[0]?.toUpperCase()}
  </Avatar>
)
