const KEPT_AS = 'service.console.place';

/** Where one was last, in this browser: an organization by its id, or the deployment. An id tells others nothing. */
export type Place = string;
export const IN_DEPLOYMENT: Place = 'deployment';

export function keepPlace(place: Place): void {
  localStorage.setItem(KEPT_AS, place);
}

export function lastPlace(): Place | null {
  return localStorage.getItem(KEPT_AS);
}
