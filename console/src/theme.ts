import { createTheme, rem } from '@mantine/core';
import type { MantineColorsTuple } from '@mantine/core';

/** The one accent: an indigo whose shades 6 (light) and 3 (dark) keep text at 4.5:1 on their grounds. */
const indigo: MantineColorsTuple = [
  '#eef1fd',
  '#dbe1f8',
  '#b6c2ee',
  '#9bacee',
  '#7289e2',
  '#5069d8',
  '#3f58c9',
  '#3449ad',
  '#2b3d93',
  '#22317a',
];

/** Greys with a little blue, so that the dark theme is not flat. */
const dark: MantineColorsTuple = [
  '#d7dae1',
  '#b8bdc9',
  '#9aa1b1',
  '#6d7588',
  '#414857',
  '#2c323e',
  '#20252f',
  '#171b23',
  '#11141a',
  '#0c0e13',
];

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 6, dark: 5 },
  colors: { indigo, dark },
  fontFamily:
    "'Geist Variable', system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  fontFamilyMonospace:
    "ui-monospace, 'SF Mono', 'Cascadia Mono', 'JetBrains Mono', Menlo, Consolas, monospace",
  fontSizes: { xs: rem(12), sm: rem(13.5), md: rem(15), lg: rem(17), xl: rem(20) },
  headings: {
    fontWeight: '620',
    sizes: {
      h1: { fontSize: rem(22), lineHeight: '1.3' },
      h2: { fontSize: rem(15), lineHeight: '1.4' },
      h3: { fontSize: rem(13.5), lineHeight: '1.4' },
    },
  },
  defaultRadius: 'md',
  radius: { xs: rem(3), sm: rem(5), md: rem(7), lg: rem(10), xl: rem(16) },
  cursorType: 'pointer',
  focusRing: 'auto',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    // What opens belongs to the page, as a landmark, and lists scroll themselves: screen readers find both. Dialogs are
    // landmarks of their own.
    Popover: { defaultProps: { portalProps: { target: 'main' } } },
    Select: { defaultProps: { size: 'sm', checkIconPosition: 'right', withScrollArea: false } },
    MultiSelect: { defaultProps: { size: 'sm', checkIconPosition: 'right', withScrollArea: false } },
    Autocomplete: { defaultProps: { size: 'sm', withScrollArea: false } },
    // A menu has no children but its items.
    Menu: { defaultProps: { shadow: 'md', radius: 'md', withInitialFocusPlaceholder: false } },
    // A dialog's heading is no second banner of the page.
    Modal: { defaultProps: { attributes: { header: { role: 'presentation' } } } },
    Table: { defaultProps: { verticalSpacing: rem(9), horizontalSpacing: 'md' } },
    Tooltip: { defaultProps: { openDelay: 250, withArrow: true, portalProps: { target: 'main' } } },
    Skeleton: { defaultProps: { radius: 'sm' } },
  },
});
