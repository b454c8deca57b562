import { useEffect, useRef, useState } from 'react';
import { useLocale } from 'react-aria-components/I18nProvider';
import { useMessages } from '../locales/messages.js';
import { placeOf } from '../time/site-time.js';
import { Button } from '../ui/button.js';
import { hasSeconds, isTextOf, readDatetime, timeInsteadOf, writeDatetime } from './datetime-text.js';
import { FieldFrame, isRequired } from './field-frame.js';
import styles from './field-frame.module.css';
import type { FieldInputProps } from './field-input.js';

/** What is to be said about the text of the input: it is not yet a time, or one that the clocks skip. */
type Remark = { kind: 'incomplete' } | { kind: 'skipped'; local: string } | undefined;

/** A time, on the clocks of the site's zone. */
export function DatetimeInput(props: FieldInputProps) {
  const { field, value, onChange, isReadOnly, zone, autoFocus } = props;
  const t = useMessages();
  const input = useRef<HTMLInputElement>(null);
  const [remark, setRemark] = useState<Remark>();
  const text = writeDatetime(value, zone);
  // The seconds stay where they were once: the input does not change its parts while one is typed.
  const [showsSeconds, setShowsSeconds] = useState(false);
  if (!showsSeconds && hasSeconds(value, zone)) setShowsSeconds(true);
  // The text is the browser's, which has parts of a time without being one; a value of another kind replaces it.
  useEffect(() => {
    const element = input.current;
    if (!element || isTextOf(element.value, zone, value)) return;
    element.value = text;
    setRemark(undefined);
  }, [text, value, zone]);

  const read = (element: HTMLInputElement) => {
    // Parts of a time have no value, and do not clear the field.
    if (element.validity.badInput) return setRemark({ kind: 'incomplete' });
    const next = readDatetime(element.value, zone, value);
    const isSkipped = timeInsteadOf(element.value, zone) !== undefined;
    setRemark(isSkipped ? { kind: 'skipped', local: element.value } : undefined);
    if (next !== undefined && next !== value) onChange(next);
  };
  const clear = () => {
    if (input.current) input.current.value = '';
    setRemark(undefined);
    onChange(null);
    input.current?.focus();
  };
  const said = useRemark(remark, zone);
  return (
    <FieldFrame {...props} hint={said ?? t('field.zone', { place: placeOf(zone) })}>
      {(control) => (
        <div className={styles['row']}>
          <input
            {...control}
            ref={input}
            type="datetime-local"
            step={showsSeconds ? 1 : undefined}
            // Years have four digits in the API.
            max="9999-12-31T23:59:59"
            defaultValue={text}
            readOnly={isReadOnly}
            autoFocus={autoFocus}
            onChange={({ target }) => read(target)}
            // Removing the last part of a time does not count as a change in Chromium.
            onKeyUp={({ currentTarget }) => {
              if (!isReadOnly && currentTarget.value === '') read(currentTarget);
            }}
            onBlur={({ currentTarget }) => {
              if (remark?.kind === 'skipped') currentTarget.value = text;
            }}
          />
          {!isRequired(field) && value !== null && !isReadOnly && (
            <Button onPress={clear}>
              {t('field.clear')}
              <span className="visually-hidden"> {field.label}</span>
            </Button>
          )}
        </div>
      )}
    </FieldFrame>
  );
}

function useRemark(remark: Remark, zone: string): string | undefined {
  const t = useMessages();
  const { locale } = useLocale();
  if (remark?.kind !== 'skipped') return remark && t('field.incompleteTime');
  const taken = timeInsteadOf(remark.local, zone);
  const clock = (timeZone: string) =>
    new Intl.DateTimeFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit' });
  return t('field.skippedTime', {
    // No clock of the zone shows it: it is formatted as a time of UTC.
    skipped: clock('UTC').format(new Date(`${remark.local}Z`)),
    taken: clock(zone).format(taken),
    place: placeOf(zone),
  });
}
