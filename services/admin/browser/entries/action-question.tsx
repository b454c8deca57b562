import { useState, type ReactElement } from 'react';
import { useMessages } from '../locales/messages.js';
import { instantOf, localTimeOf, placeOf } from '../time/site-time.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { TextField } from '../ui/text-field.js';
import type { EntryAction } from './list/entry-actions.js';
import styles from './action-question.module.css';

const hourMs = 3_600_000;
const destructive: ReadonlySet<string> = new Set(['trash', 'delete', 'discard']);

/** Asks before something is done with entries, and when they go live where it is a schedule. */
export function ActionQuestion({
  action,
  title,
  confirmLabel,
  zone,
  former,
  onConfirm,
  onClose,
}: {
  action: EntryAction | 'discard';
  title: string;
  confirmLabel: string;
  /** Of the site. */
  zone: string;
  /** The time of the present schedule. */
  former: string | null | undefined;
  onConfirm: (scheduledAt?: string) => void;
  onClose: () => void;
}) {
  const t = useMessages();
  const { input, scheduledAt } = useScheduleTime(zone, former);
  const isSchedule = action === 'schedule';
  return (
    <ConfirmDialog
      title={title}
      confirmLabel={confirmLabel}
      isDanger={destructive.has(action)}
      isDisabled={isSchedule && scheduledAt === undefined}
      onConfirm={() => onConfirm(isSchedule ? scheduledAt : undefined)}
      onClose={onClose}
    >
      <p>{t(`explain.${action}`)}</p>
      {isSchedule && input}
    </ConfirmDialog>
  );
}

/**
 * The time at which an entry goes live: its input, in the zone of the site, and what is selected.
 * @param former the time of the entry's schedule, which is the first selection if it is not over
 * @returns `scheduledAt` is undefined while the text is no time, or one that is over
 */
function useScheduleTime(
  zone: string,
  former: string | null | undefined,
): { input: ReactElement; scheduledAt: string | undefined } {
  const t = useMessages();
  const [local, setLocal] = useState(() => localTimeOf(initialTime(former), zone));
  const [now] = useState(() => Date.now());
  const instant = instantOf(local, zone);
  const isPast = instant !== undefined && instant.getTime() <= now;
  return {
    input: (
      <div className={styles['time']}>
        <TextField
          autoFocus
          type="datetime-local"
          label={t('schedule.time', { place: placeOf(zone) })}
          hint={zone}
          problem={isPast ? t('schedule.past') : undefined}
          value={local}
          onChange={setLocal}
        />
      </div>
    ),
    scheduledAt: isPast ? undefined : instant?.toISOString(),
  };
}

/** The time of the former schedule, else the next full hour that is at least an hour away. */
function initialTime(former: string | null | undefined): Date {
  const scheduled = former ? Date.parse(former) : 0;
  if (scheduled > Date.now()) return new Date(scheduled);
  return new Date((Math.floor(Date.now() / hourMs) + 2) * hourMs);
}
