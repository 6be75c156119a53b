// Gives the screens below it the client of one caller and one organization, and ends its stream with them.

import { type ReactNode, useLayoutEffect, useState } from 'react'
import { Provider } from 'urql'
import { createDataClient, type DataClient } from './client.ts'

export function DataProvider({ scope, children }: { scope: string; children: ReactNode }) {
  const [data, setData] = useState<DataClient | null>(null)
  // Before the browser paints: without a client there is nothing to see.
  useLayoutEffect(() => {
    const created = createDataClient(scope)
    setData(created)
    return () => created.close()
  }, [scope])
  return data && <Provider value={data.urql}>{children}</Provider>
}
