import { useState, type ReactElement } from 'react';
import { useMessages } from '../locales/messages.js';
import { instantOf, localTimeOf, placeOf } from '../time/site-time.js';
import { TextField } from '../ui/text-field.js';
import styles from './schedule-time.module.css';

const hourMs = 3_600_000;

/**
 * The time at which an entry goes live: its input, in the zone of the site, and what is selected.
 * @param former the time of the entry's schedule, which is the first selection if it is not over
 * @returns `scheduledAt` is undefined while the text is no time, or one that is over
 */
export function useScheduleTime(
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
