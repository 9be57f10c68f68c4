import { useState } from 'react';
import {
  useGetRaffleQuery,
  useSaveRaffleDraftMutation,
  type Content,
  type DraftView,
  type RaffleFile,
} from '../../api/raffles';
import { asApiError } from '../../../shared/api/apiError';
import { formatDateTime } from '../../../shared/lib/format';
import { useToast } from '../../../shared/ui/toast/useToast';
import { useUnsavedChanges } from '../../form/unsavedChanges';
import { useAct } from '../../lib/useAct';
import { useMay } from '../../session/me';
import { Button } from '../../ui/Button';
import { QueryLink } from '../../ui/QueryLink';
import { QueryView } from '../../ui/states';
import { OtherAmounts } from './OtherAmounts';
import { ContentForm } from './ContentForm';
import { isSame, labelOf, pathOf, withValue } from './content';
import { Preview } from './Preview';
import { PublishDialog } from './PublishDialog';
import { Status } from './Status';
import { Versions } from './Versions';

/** The content of a raffle: the form beside its pages, what is missing, and its versions. */
export function Editor({ landingPage }: { landingPage: string }) {
  const query = useGetRaffleQuery({ landingPage });
  return (
    <>
      <QueryLink change={{ view: null }}>Back to all raffles</QueryLink>
      <QueryView query={query} holdsForm>
        {(file) => <Form key={landingPage} file={file} refetch={() => query.refetch().unwrap()} />}
      </QueryView>
    </>
  );
}

interface FormProps {
  file: RaffleFile;
  refetch: () => Promise<RaffleFile>;
}

function Form({ file, refetch }: FormProps) {
  const { raffle, versions } = file;
  const mayChange = useMay('manage_raffles');
  const draft = useDraft(file, refetch);
  const [isPublishing, setPublishing] = useState(false);
  const inForce = versions.find(({ isInForce }) => isInForce)?.content;
  const { content, saved, isDirty } = draft;

  async function publish() {
    if (isDirty && !(await draft.save())) return;
    setPublishing(true);
  }

  return (
    <div className="raffle-editor">
      <header className="raffle-head">
        <div>
          <h1>{content.name || raffle.landingPage}</h1>
          <p className="quiet-text">
            <Status raffle={raffle} /> /{raffle.landingPage}
          </p>
        </div>
        {mayChange && (
          <div className="actions">
            <p role="status" className="quiet-text">
              {isDirty ? 'Not saved yet' : savedWords(saved)}
            </p>
            <Button busy={draft.isBusy} onClick={() => void draft.save()}>
              Save draft
            </Button>
            <Button variant="primary" busy={draft.isBusy} onClick={() => void publish()}>
              Publish...
            </Button>
          </div>
        )}
      </header>
      <p className="to-preview">
        <a className="text-link" href="#preview">
          To the preview
        </a>
      </p>
      <div role="alert" className="problem">
        {draft.problem}
      </div>
      {draft.theirs && <Meanwhile draft={draft} theirs={draft.theirs} />}
      <div className="raffle-columns">
        <div className="grid">
          {mayChange && <OtherAmounts content={content} onChange={draft.replace} />}
          <Missing draft={saved} isDirty={isDirty} />
          <ContentForm
            content={content}
            errors={draft.errors}
            isReadOnly={!mayChange}
            onChange={draft.change}
          />
          <Versions
            versions={versions}
            waiting={raffle.waitingVersion?.number}
            mayUse={mayChange}
            onUse={(version) => draft.replace(version.content)}
          />
        </div>
        <Preview landingPage={raffle.landingPage} content={content} />
      </div>
      {isPublishing && (
        <PublishDialog
          raffle={raffle}
          draft={saved}
          inForce={inForce}
          anotherPrizeFrom={file.anotherPrizeTakesEffectAt}
          onClose={() => setPublishing(false)}
        />
      )}
    </div>
  );
}

function savedWords({ savedAt, savedBy }: DraftView): string {
  if (!savedAt) return '';
  return `Saved ${formatDateTime(savedAt)}${savedBy ? ` by ${savedBy}` : ''}`;
}

type Draft = ReturnType<typeof useDraft>;

/** What is typed, over what is stored: nobody's words are lost when two people edit at once. */
function useDraft({ raffle, draft }: RaffleFile, refetch: () => Promise<RaffleFile>) {
  const { landingPage } = raffle;
  const [saved, setSaved] = useState(draft);
  const [content, setContent] = useState(draft.content);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [theirs, setTheirs] = useState<DraftView>();
  const [saveDraft] = useSaveRaffleDraftMutation();
  const { pending, problem, run, forget } = useAct(({ sentence }) => sentence);
  const toast = useToast();
  const isDirty = !isSame(content, saved.content);
  useUnsavedChanges(isDirty);

  async function store(revision: number) {
    try {
      const saveDraftBody = { revision, content };
      const next = await saveDraft({ landingPage, saveDraftBody }).unwrap();
      setSaved(next);
      setContent(next.content);
      setErrors({});
      setTheirs(undefined);
    } catch (thrown) {
      const error = asApiError(thrown);
      if (error.code === 'changed_meanwhile') setTheirs((await refetch()).draft);
      else setErrors(errorsOf(error.fields));
      throw thrown;
    }
  }

  /** Answers whether it is stored now. */
  const save = (revision = saved.revision) =>
    new Promise<boolean>((done) => {
      run(async () => {
        try {
          await store(revision);
          toast({ title: 'Draft saved' });
          done(true);
        } catch (thrown) {
          done(false);
          const { fields, code } = asApiError(thrown);
          // Both are said where they belong.
          if (code === 'changed_meanwhile') return;
          if (fields) return focusOn(...Object.keys(errorsOf(fields)));
          throw thrown;
        }
      });
    });

  return {
    content,
    saved,
    isDirty,
    errors,
    theirs,
    isBusy: pending,
    problem,
    save,
    change: (path: string, value: unknown) => {
      forget();
      setErrors((before) => without(before, path));
      setContent((before) => withValue(before, path, value));
    },
    replace: (next: Content) => {
      setErrors({});
      setContent(next);
    },
    take: (other: DraftView) => {
      setSaved(other);
      setContent(other.content);
      setErrors({});
      setTheirs(undefined);
    },
  };
}

/** A change of the list of parts moves what was said of them. */
const without = (errors: Record<string, string>, path: string) =>
  Object.fromEntries(
    Object.entries(errors).filter(
      ([name]) => name !== path && !name.startsWith(`${path}.`) && !path.startsWith(`${name}.`),
    ),
  );

const errorsOf = (fields: Record<string, string[]> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([field, messages]) => [pathOf(field), messages.join('\n')]),
  );

/** The first of these fields in the form. */
function focusOn(...paths: string[]) {
  const fields = [...document.querySelectorAll<HTMLElement>('[data-path]')];
  fields.find(({ dataset }) => paths.includes(dataset.path ?? ''))?.focus();
}

function Meanwhile({ draft, theirs }: { draft: Draft; theirs: DraftView }) {
  return (
    <section className="panel raffle-meanwhile" aria-label="Changed meanwhile">
      <p role="alert">
        <strong>{theirs.savedBy ?? 'Somebody else'} saved this draft</strong> while you were
        editing. What you typed is still here, and not saved.
      </p>
      <div className="actions">
        <Button onClick={() => void draft.save(theirs.revision)} busy={draft.isBusy}>
          Save mine over it
        </Button>
        <Button onClick={() => draft.take(theirs)}>Discard mine and show theirs</Button>
      </div>
    </section>
  );
}

/** What the stored draft lacks; each leads to its field. */
function Missing({ draft, isDirty }: { draft: DraftView; isDirty: boolean }) {
  if (draft.missing.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="missing-title">
      <h2 id="missing-title">Missing before it can open</h2>
      {isDirty && <p className="quiet-text">As it was saved last.</p>}
      <ul className="raffle-missing">
        {draft.missing.map(({ field, message }) => {
          const path = pathOf(field);
          return (
            <li key={field + message}>
              <button type="button" className="text-link" onClick={() => focusOn(path)}>
                {labelOf(path)}
              </button>{' '}
              <span className="quiet-text">{message}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
