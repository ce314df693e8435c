export {
  matchesRedirectPatterns,
  MAX_REDIRECT_URL_LENGTH,
  redirectPatternProblem,
  redirectSource,
  redirectUrlProblem,
  redirectWithCode,
} from './redirect-url.js';
