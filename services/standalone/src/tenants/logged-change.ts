import { recordOperatorAction, type WithinChange } from '@quire/tenancy';

/** An action on one site, for the log of operators. */
export interface LoggedChange {
  actor: string;
  /** Name of the command. */
  action: string;
  /** Id of the site. */
  target: string;
  detail: Readonly<Record<string, string>>;
}

/** Appends an action to the log of operators, in the transaction of the change. */
export function logged(change: LoggedChange): WithinChange {
  return (tx) => recordOperatorAction(tx, { ...change, count: 1 });
}
