import { filter, takeUntil, type MonoTypeOperatorFunction } from 'rxjs';
import { ofType } from 'redux-observable';
import { tokenAdopted, tokenRefreshed, tokenReused } from './actions.ts';
import type { IdentityEpic } from './dependencies.ts';
import { isCurrentGuest } from './identity-reducer.ts';

export function untilOtherGuest<T>(
  guestId: string,
  action$: Parameters<IdentityEpic>[0],
  state$: Parameters<IdentityEpic>[1],
): MonoTypeOperatorFunction<T> {
  return takeUntil(
    action$.pipe(
      ofType(tokenReused.type, tokenAdopted.type, tokenRefreshed.type),
      filter(() => guestId !== '' && !isCurrentGuest(state$.value.identity, guestId)),
    ),
  );
}
