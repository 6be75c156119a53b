// The colours of the design. Each scale of ten was generated in OKLCH at one hue, with less chroma towards both ends.

import type { MantineColorsTuple } from '@mantine/core'

export const paper = { light: '#fbfaf6', dark: '#121514' }
export const surface = { light: '#ffffff', dark: '#191d1b' }
export const ink = { light: '#1c211f', dark: '#e8ecea' }
export const muted = { light: '#5f6763', dark: '#9ba5a0' }
export const line = { light: '#e4e1d8', dark: '#2a302d' }

/** The accent, for buttons, links and selections. */
export const green = shades('#eff8f5 #ddf0e8 #c0e2d5 #99cebb #6fb59d #48977e #297c64 #176852 #1f5c4a #0f4838')

/** Waiting. */
export const amber = shades('#fdf4e9 #f8e8d2 #f1d4ad #e5b87a #d19943 #b57800 #985d00 #824b00 #744400 #5a3300')

/** Failing. */
export const red = shades('#fff1ee #ffe0db #ffc6be #ffa297 #f57a6f #d9544b #ba3630 #a02421 #8f2320 #701815')

/** Information. */
export const blue = shades('#eef7ff #dcedfe #bfddfc #98c6f6 #6ea9e6 #488acb #2c6fae #1b5c96 #1b5386 #123f68')

export const gray = shades('#f6f5f0 #f0eee8 #e4e1d8 #d5d1c6 #b9b5a9 #8f9089 #5f6763 #474e4a #333936 #1c211f')

/** Mantine takes 0 for text, 2 for dimmed text, 4 for the borders of inputs, 6 for inputs and 7 for surfaces. */
export const dark = shades('#e8ecea #c3cbc7 #9ba5a0 #7d8782 #3a433e #262c29 #1f2422 #191d1b #121514 #0d0f0e')

/** Mantine's type is a tuple of ten colours; each list above has ten. */
function shades(colours: string): MantineColorsTuple {
  return colours.split(' ') as unknown as MantineColorsTuple
}
