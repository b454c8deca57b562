import { AlertTriangle, Check, CloudOff, LoaderCircle, PencilLine } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { errorWords } from '../../api/error-words.js';
import { useMessages, type Translate } from '../../locales/messages.js';
import type { StateLine as Line } from '../document/save-status.js';
import { useEditorContext, useFieldNames } from './editor-context.js';
import type { EntrySession } from './entry-session.js';
import styles from './state-line.module.css';

/** Whether the text is saved, and what is missing for that; read aloud when it changes. */
export function StateLine({ session: { saver } }: { session: EntrySession }) {
  const t = useMessages();
  const { times } = useEditorContext();
  const { line } = useSyncExternalStore(saver.subscribe, saver.getStatus);
  const namesOf = useFieldNames();
  const text = lineText(t, line, {
    namesOf,
    timeOf: times.clock,
    isNew: saver.id === undefined,
  });
  const { tone, Icon } = looks(line);
  return (
    <p role="status" className={styles['line']} data-tone={tone}>
      {text !== '' && <Icon aria-hidden size={16} />}
      <span>{text}</span>
    </p>
  );
}

interface LineWords {
  namesOf: (keys: readonly string[]) => string;
  timeOf: (ms: number) => string;
  isNew: boolean;
}

/** The state in words; empty for an entry that nothing has happened to. */
function lineText(t: Translate, line: Line, { namesOf, timeOf, isNew }: LineWords): string {
  const fields = 'fields' in line ? namesOf(line.fields) : '';
  const count = 'fields' in line ? line.fields.length : 0;
  switch (line.kind) {
    case 'saved':
      if (line.at !== undefined) return t('state.saved', { time: timeOf(line.at) });
      return isNew ? t('state.new') : '';
    case 'unsaved':
      return t('state.unsaved', { count });
    case 'saving':
      return t('state.saving');
    case 'waiting':
      return t(`state.waiting.${line.reason}`, { count });
    case 'stopped':
      return line.reason === 'rejected'
        ? t('state.stopped.rejected', { reason: errorWords(t, line.error).text })
        : t(`state.stopped.${line.reason}`, { count });
    case 'invalid':
      return t('state.invalid', { fields });
    case 'conflict':
      return t('state.conflict', { fields });
  }
}

function looks({ kind }: Line): { tone: 'quiet' | 'warn' | 'danger'; Icon: typeof Check } {
  switch (kind) {
    case 'saved':
      return { tone: 'quiet', Icon: Check };
    case 'unsaved':
      return { tone: 'quiet', Icon: PencilLine };
    case 'saving':
      return { tone: 'quiet', Icon: LoaderCircle };
    case 'waiting':
      return { tone: 'warn', Icon: CloudOff };
    case 'stopped':
    case 'invalid':
    case 'conflict':
      return { tone: 'danger', Icon: AlertTriangle };
  }
}
