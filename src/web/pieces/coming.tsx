// Stands where a screen is not built yet.

import { Header } from '../frame/header.tsx'
import { Empty } from './empty.tsx'

export function Coming({ title }: { title: string }) {
  return (
    <>
      <Header title={title} />
      <Empty
        sentence={`${title} can be reached through the API until this screen is there.`}
        guide={{ href: '/docs', label: 'API reference' }}
      />
    </>
  )
}
