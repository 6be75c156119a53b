// All providers, by the names that recipes use.

import { calls } from './calls.ts'
import { email } from './email.ts'
import { gravatar } from './gravatar.ts'
import { http } from './http.ts'
import { llm } from './llm.ts'
import { phone } from './phone.ts'
import type { Provider } from './provider.ts'
import { web } from './web.ts'

export const providers: Readonly<Record<string, Provider>> = { calls, email, gravatar, http, llm, phone, web } as Record<string, Provider>

export const isProvider = (name: string): boolean => Object.hasOwn(providers, name)
