/** What there is to do in the console as well as at the command line, as the banner and the front page put it. */
export const TAGLINE = 'deploy jobs, trigger them, follow their logs';
