// The design's tokens as a Mantine theme, and as CSS variables where Mantine has no name for them. Components contain no literal values.

import { type CSSVariablesResolver, createTheme, localStorageColorSchemeManager } from '@mantine/core'
import { focusMenu, takeByEnterOrTab, takeByTab } from '../keyboard/highlighted.ts'
import { selectWholeValue } from '../keyboard/whole-value.ts'
import { amber, blue, dark, gray, green, ink, line, muted, paper, red, surface } from './palette.ts'

const sans = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif"
// The only shadow, for floating elements.
const floating = '0 1px 2px rgb(28 33 31 / 6%), 0 8px 24px rgb(28 33 31 / 12%)'

// People write titles: a long word must break, or it would push the close button off the page.
const wholeTitle = { minWidth: 0, overflowWrap: 'anywhere' } as const

export const theme = createTheme({
  colors: { green, amber, red, blue, gray, dark },
  primaryColor: 'green',
  // Contrast of white text: 7.8:1 on step 8, 5.1:1 on step 6.
  primaryShade: { light: 8, dark: 6 },
  autoContrast: true,
  luminanceThreshold: 0.25,
  black: ink.light,
  fontFamily: sans,
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.35', sm: '1.54', md: '1.57', lg: '1.5', xl: '1.4' },
  headings: {
    fontFamily: sans,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '28px', lineHeight: '36px' },
      h2: { fontSize: '20px', lineHeight: '28px' },
      h3: { fontSize: '16px', lineHeight: '24px' },
      h4: { fontSize: '14px', lineHeight: '22px' },
    },
  },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '8px', xl: '16px' },
  defaultRadius: 'md',
  shadows: { xs: 'none', sm: 'none', md: floating, lg: floating, xl: floating },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 28 } },
    Drawer: { defaultProps: { styles: { title: { ...wholeTitle, fontWeight: 600 } }, transitionProps: { duration: 160 } } },
    // No blur: the page behind stays readable.
    Overlay: { defaultProps: { blur: 0 } },
    // The first entry gets the focus: an element before it, which Mantine adds for that, is no child that a menu may have.
    Menu: {
      defaultProps: { transitionProps: { duration: 120 }, position: 'bottom-start', shadow: 'md', withInitialFocusPlaceholder: false },
    },
    MenuDropdown: { defaultProps: { ref: focusMenu } },
    Modal: {
      defaultProps: {
        styles: { title: { ...wholeTitle, fontWeight: 600 } },
        centered: true,
        overlayProps: { backgroundOpacity: 0.3 },
        transitionProps: { duration: 160, transition: 'fade' },
      },
    },
    // Lists of options open by a click, an arrow or typing. If the focus opened them, they would cover the problem of a field to which a form has
    // moved the focus. Free text is allowed here, so no option is highlighted until somebody moves to it.
    Autocomplete: { defaultProps: { onKeyDown: takeByTab, openOnFocus: false } },
    // Pasted lists may also come from a column or a row of a table.
    TagsInput: { defaultProps: { onKeyDown: takeByEnterOrTab, splitChars: [',', '\n', '\t'] } },
    // The focus stands on the wrapper, because forms give the input its `onFocus`.
    Select: {
      defaultProps: {
        ...{ onKeyDown: takeByTab, selectFirstOptionOnChange: true, openOnFocus: false },
        wrapperProps: { onFocus: selectWholeValue },
      },
    },
    Spotlight: { defaultProps: { overlayProps: { backgroundOpacity: 0.3, blur: 0 } } },
    Tooltip: { defaultProps: { openDelay: 400, transitionProps: { duration: 120 } } },
  },
})

export const variables: CSSVariablesResolver = () => ({
  variables: {
    '--rc-rail-width': '232px',
    '--rc-rail-narrow': '56px',
    '--rc-panel-width': '480px',
    '--rc-row': '44px',
    '--rc-in': '160ms ease-out',
    '--rc-out': '120ms ease-in',
  },
  light: {
    '--rc-paper': paper.light,
    '--rc-surface': surface.light,
    '--rc-line': line.light,
    '--rc-hover': gray[0],
    '--rc-selected': green[0],
    '--rc-flash': 'rgb(31 92 74 / 12%)',
    '--mantine-color-default-border': line.light,
    '--mantine-color-dimmed': muted.light,
    '--mantine-color-placeholder': muted.light,
    '--mantine-color-error': red[7],
    '--mantine-color-red-light': red[0],
    '--mantine-color-amber-light': amber[0],
    '--mantine-color-blue-light': blue[0],
    '--mantine-color-green-light': green[0],
  },
  dark: {
    '--rc-paper': paper.dark,
    '--rc-surface': surface.dark,
    '--rc-line': line.dark,
    '--rc-hover': dark[6],
    '--rc-selected': '#1b2b25',
    '--rc-flash': 'rgb(111 181 157 / 16%)',
    '--mantine-color-default-border': line.dark,
    '--mantine-color-dimmed': muted.dark,
    '--mantine-color-placeholder': muted.dark,
    '--mantine-color-error': red[4],
  },
})

// The key is the one that first-paint.js reads before the first paint.
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'rolocom.color-scheme' })
