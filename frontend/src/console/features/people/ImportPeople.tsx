import { useEffect, useRef, useState, type ChangeEvent } from 'react';
import { useImportFileMutation, type ImportAnswer } from '../../api/importPeople';
import { countOf, formatCount } from '../../../shared/lib/format';
import { useAct } from '../../lib/useAct';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Field } from '../../ui/Field';
import { ProposedText } from '../../ui/Proposed';
import { QueryLink } from '../../ui/QueryLink';
import { Table } from '../../ui/Table';

const MOST_BYTES = 10 * 1024 * 1024;

interface Tried {
  file: File;
  answer: ImportAnswer;
  isDone: boolean;
}

/** Imports people from a CSV file: says what it would do first. */
export function ImportPeople() {
  const [importFile] = useImportFileMutation();
  const { pending, problem, run, forget } = useAct(({ sentence }) => sentence);
  const [tried, setTried] = useState<Tried>();
  const [sizeProblem, setSizeProblem] = useState<string>();
  const back = useRef<HTMLDivElement>(null);
  useEffect(() => back.current?.querySelector('a')?.focus(), []); // the link that led here is gone

  const send = (file: File, dryRun: boolean) =>
    run(async () => {
      const answer = await importFile({ file, dryRun }).unwrap();
      setTried({ file, answer, isDone: !dryRun && !answer.lines });
    });
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    setTried(undefined);
    forget();
    setSizeProblem(file && file.size > MOST_BYTES ? 'The file is larger than 10 MB.' : undefined);
    if (file && file.size <= MOST_BYTES) send(file, true);
  };

  return (
    <>
      <header className="screen-head">
        <h1>Import people</h1>
        <div ref={back}>
          <QueryLink change={{ view: null }}>Back to all people</QueryLink>
        </div>
      </header>
      <div className="grid">
        <Card
          title="A CSV file"
          note="Each person gets one entry and no welcome text. Numbers that have entered before stay as they are, and those of erased people are refused."
        >
          <div className="person-form">
            <Field
              label="File"
              hint="The first line names the columns phoneNumber, landingPage and consentBasis, in any order. The basis says why we may text the number. At most 100,000 people and 10 MB."
              error={sizeProblem}
            >
              {(props) => (
                <input
                  {...props}
                  type="file"
                  accept=".csv,.txt,text/csv"
                  onChange={choose}
                  disabled={pending}
                />
              )}
            </Field>
            <div role="alert" className="problem">
              {problem}
            </div>
            <div role="status">
              {pending && 'Working on the file...'}
              {!pending && tried && <Outcome {...tried} />}
            </div>
            {tried && !tried.isDone && Boolean(tried.answer.imported) && (
              <div className="actions">
                <Button variant="primary" busy={pending} onClick={() => send(tried.file, false)}>
                  {pending
                    ? 'Importing...'
                    : `Import ${countOf(tried.answer.imported ?? 0, 'person', 'people')}`}
                </Button>
              </div>
            )}
          </div>
        </Card>
        {tried?.answer.lines && <BadLines lines={tried.answer.lines} />}
      </div>
    </>
  );
}

function Outcome({ answer, isDone }: Tried) {
  const { lines, proposed, imported = 0, known = 0, importBatchId } = answer;
  if (proposed) {
    return (
      <>
        <ProposedText proposal={proposed} />
        <p>Then choose the same file here again, within 24 hours. It is not kept until then.</p>
      </>
    );
  }
  if (lines) {
    return (
      <p>
        {countOf(lines.length, 'line')} cannot be imported, so nothing was imported. Mend the file
        and choose it again.
      </p>
    );
  }
  const people = countOf(imported, 'person', 'people');
  const others = known > 0 && ` ${formatCount(known)} entered before and stay as they are.`;
  return isDone ? (
    <p>
      {people} imported.{others} {importBatchId && `The batch is ${importBatchId}.`}
    </p>
  ) : (
    <p>
      All lines are good. {people} would be imported.{others}
    </p>
  );
}

function BadLines({ lines }: { lines: NonNullable<ImportAnswer['lines']> }) {
  return (
    <Card title="Lines to mend">
      <Table
        caption="Bad lines of the file, and what is wrong with each"
        columns={[
          { key: 'line', header: 'Line', cell: ({ line }) => formatCount(line) },
          { key: 'error', header: 'What is wrong', cell: ({ error }) => error },
        ]}
        rows={lines.slice(0, MOST_SHOWN)}
        rowKey={({ line }) => line}
      />
      {lines.length > MOST_SHOWN && (
        <p className="quiet-text">
          These are the first {formatCount(MOST_SHOWN)} of {formatCount(lines.length)}.
        </p>
      )}
    </Card>
  );
}

/** More rows than people read would only slow the page down. */
const MOST_SHOWN = 500;
