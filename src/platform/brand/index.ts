export { brandColor, httpsUrl, MAX_BRAND_URL, supportUrl } from './brand-values.js';
export { contrast, readable, textOn } from './contrast.js';
