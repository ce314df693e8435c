export { BrandBody, BrandDto, toBrand, toBrandDto } from './brand.dto.js';
export { accentOn, Brands, buttonColors, NO_BRAND } from './brands.js';
export type { Brand } from './brands.js';
