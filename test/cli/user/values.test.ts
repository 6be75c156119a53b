// Pure parts of the command line: where sign-ins are kept, how tables fit, what fields mean.

import { describe, expect, test } from 'vitest'
import { fieldsOf } from '../../../src/cli/user/api/fields.ts'
import { displayText } from '../../../src/cli/user/output/print.ts'
import { fitWidths } from '../../../src/cli/user/output/table.ts'
import { credentialsPath } from '../../../src/cli/user/session/place.ts'
import { addressOf } from '../../../src/cli/user/session/server.ts'

describe('the file of sign-ins', () => {
  test.each([
    ['linux', {}, '/home/ada', '/home/ada/.config/rolocom/credentials.json'],
    ['linux', { XDG_CONFIG_HOME: '/etc/ada' }, '/home/ada', '/etc/ada/rolocom/credentials.json'],
    ['linux', { XDG_CONFIG_HOME: 'relative' }, '/home/ada', '/home/ada/.config/rolocom/credentials.json'],
    ['darwin', { XDG_CONFIG_HOME: '/etc/ada' }, '/Users/ada', '/Users/ada/Library/Application Support/rolocom/credentials.json'],
    [
      'win32',
      { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' },
      'C:\\Users\\ada',
      'C:\\Users\\ada\\AppData\\Roaming\\rolocom\\credentials.json',
    ],
    ['win32', {}, 'D:\\ada', 'D:\\ada\\AppData\\Roaming\\rolocom\\credentials.json'],
  ] as const)('on %s with %j', (platform, environment, home, path) => {
    expect(credentialsPath({ platform, environment, home })).toBe(path)
  })
})

test('an address keeps the path of a proxy, and is http or https', () => {
  expect([addressOf('https://crm.example.com/'), addressOf('http://[::1]:4000/crm/?x=1#y')]).toEqual([
    'https://crm.example.com',
    'http://[::1]:4000/crm',
  ])
  for (const wrong of ['crm.example.com', 'file:///etc/passwd', '']) expect(() => addressOf(wrong)).toThrow('looks like https://')
})

test('a table takes from its widest columns, never from ids', () => {
  expect(fitWidths([38, 40, 20], [true, false, false], 80)).toEqual([38, 22, 20])
  expect(fitWidths([38, 40, 20], [true, false, false], 10)).toEqual([38, 8, 8])
  expect(fitWidths([10, 10], [false, false], 80)).toEqual([10, 10])
})

test('control characters of data do not reach the terminal', () => {
  expect(displayText('a\u001b[2Jb\u009b31mc\u0007\u202Ed\r\ne')).toBe('abcd e')
  expect([displayText(null), displayText(0), displayText({ a: 1 })]).toEqual(['', '0', '{"a":1}'])
})

test('fields make objects and lists; only -F reads numbers, and __proto__ is a name like any other', () => {
  const fields = fieldsOf({
    field: ['email=a=b', 'n=1', 'tags[]=x', 'tags[]=y', 'custom[plan]=pro', '__proto__[polluted]=yes'],
    typedField: ['count=1.5', 'on=true', 'none=null', 'word=12a', 'custom[seats]=3'],
  })
  expect(JSON.parse(JSON.stringify(fields))).toEqual(
    JSON.parse(
      '{"email":"a=b","n":"1","tags":["x","y"],"custom":{"plan":"pro","seats":3},"__proto__":{"polluted":"yes"},"count":1.5,"on":true,"none":null,"word":"12a"}',
    ),
  )
  expect('polluted' in {}).toBe(false)
  for (const wrong of ['email', '=x', 'a[b=c', 'a]=c']) expect(() => fieldsOf({ field: [wrong] })).toThrow('name')
})
