/** A colour as its red, green and blue, from 0 to 255. */
type Rgb = readonly [number, number, number];

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

function rgbOf(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff];
}

function hexOf(rgb: Rgb): string {
  return `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Relative luminance (WCAG 2.2, glossary). */
function luminance(rgb: Rgb): number {
  return 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2]);
}

function linear(part: number): number {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function ratio(one: Rgb, other: Rgb): number {
  const [first, second] = [luminance(one), luminance(other)];
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

/** The contrast ratio of two colours, from 1 to 21 (WCAG 2.2, glossary). @param one as `#rrggbb`, like the other */
export function contrast(one: string, other: string): number {
  return ratio(rgbOf(one), rgbOf(other));
}

/** Black or white, whichever is easier to read on the colour. One of them always has a contrast of at least 4.58. */
export function textOn(color: string): '#000000' | '#ffffff' {
  return contrast(color, '#000000') >= contrast(color, '#ffffff') ? '#000000' : '#ffffff';
}

/** Steps from a colour to black or white. More would change nothing that can be seen. */
const STEPS = 100;

/**
 * The colour itself where its contrast with every background is at least `least`; else mixed with as little black or
 * white as that takes, whichever the backgrounds are farther from.
 * @param least at most what black or white has on each background
 */
export function readable(color: string, backgrounds: readonly [string, ...string[]], least: number): string {
  const behind = backgrounds.map(rgbOf);
  const pole = textOn(backgrounds[0]) === '#000000' ? BLACK : WHITE;
  const from = rgbOf(color);
  for (let step = 0; step < STEPS; step += 1) {
    const mixed = (index: 0 | 1 | 2): number => from[index] + ((pole[index] - from[index]) * step) / STEPS;
    const candidate = hexOf([mixed(0), mixed(1), mixed(2)]);
    if (behind.every((background) => ratio(rgbOf(candidate), background) >= least)) return candidate;
  }
  return hexOf(pole);
}
