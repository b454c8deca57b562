import { Link } from '@tanstack/react-router';
import { FileQuestion } from 'lucide-react';
import { useCallback } from 'react';
import { useMessages } from '../../locales/messages.js';
import { Button } from '../../ui/button.js';
import { Empty } from '../../ui/empty.js';
import { Screen } from '../../ui/screen.js';
import type { Draft } from '../document/journal-store.js';
import { useEditorContext } from './editor-context.js';
import { copyDraft } from './open-entry.js';
import { UnsentText } from './unsent-text.js';
import { useKeepAsNew } from './use-keep-as-new.js';

/** An entry that is not there any more, with what was typed into it and not saved. */
export function GoneEntry({ draft }: { draft: Draft | undefined }) {
  const t = useMessages();
  const { collection } = useEditorContext();
  return (
    <Screen title={t('editor.gone')}>
      <Empty
        icon={<FileQuestion aria-hidden size={32} />}
        title={t('editor.gone')}
        explanation={t('editor.gone.explanation')}
      >
        <Link
          className="button"
          to="/content/$collection"
          params={{ collection: collection.slug }}
          search={{}}
        >
          {collection.label}
        </Link>
      </Empty>
      {draft && <Unsent draft={draft} />}
    </Screen>
  );
}

function Unsent({ draft }: { draft: Draft }) {
  const t = useMessages();
  const keepAsNew = useKeepAsNew(useCallback((newId) => copyDraft(draft, newId), [draft]));
  return (
    <section aria-label={t('editor.unsent')}>
      <h2>{t('editor.unsent')}</h2>
      <UnsentText values={new Map([...draft.fields].map(([key, { value }]) => [key, value]))} />
      <Button isMain onPress={() => void keepAsNew()}>
        {t('editor.keepAsNew')}
      </Button>
    </section>
  );
}
