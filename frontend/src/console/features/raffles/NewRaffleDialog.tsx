import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useCopyRaffleMutation, useCreateRaffleMutation } from '../../api/raffles';
import { asApiError } from '../../../shared/api/apiError';
import { useQueryState } from '../../lib/useQueryState';
import { useAct } from '../../lib/useAct';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { RaffleSelect } from '../../ui/RaffleSelect';

const KEY = /^(?=.{3,40}$)[a-z0-9]+(-[a-z0-9]+)*$/;
const WANTED = 'Enter 3 to 40 of a-z, 0-9 and single dashes between them.';

interface Props {
  /** The raffle that is copied, unless somebody chooses another one. */
  from?: string | undefined;
  onClose: () => void;
}

/** Makes a draft, from nothing or from the words of another raffle. */
export function NewRaffleDialog({ from = '', onClose }: Props) {
  const [key, setKey] = useState('');
  const [original, setOriginal] = useState(from);
  const [fault, setFault] = useState<string>();
  const [create] = useCreateRaffleMutation();
  const [copy] = useCopyRaffleMutation();
  const [, setQuery] = useQueryState();
  const { pending, problem, run } = useAct((error) =>
    Object.keys(error.fields ?? {}).length > 0 ? undefined : error.sentence,
  );

  async function make() {
    if (!KEY.test(key)) return setFault(WANTED);
    try {
      if (original) await copy({ landingPage: original, copyRaffleBody: { newKey: key } }).unwrap();
      else await create({ newRaffleBody: { landingPage: key } }).unwrap();
    } catch (thrown) {
      const { fields } = asApiError(thrown);
      setFault((fields?.newKey ?? fields?.landingPage)?.join('\n'));
      throw thrown;
    }
    flushSync(onClose); // so that nothing is left to be discarded
    setQuery({ view: key });
  }

  return (
    <FormDialog
      title="New raffle"
      submitLabel={pending ? 'Making...' : 'Make the draft'}
      busy={pending}
      dirty={key !== ''}
      problem={problem}
      onSubmit={() => run(make)}
      onClose={onClose}
    >
      <Field
        label="Address"
        hint={`${location.host}/${key || '...'} It never changes once the raffle was open.`}
        error={fault}
      >
        {(control) => (
          <input
            {...control}
            value={key}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={({ target }) => {
              setFault(undefined);
              setKey(target.value);
            }}
          />
        )}
      </Field>
      <Field label="Begin with">
        {(control) => (
          <RaffleSelect
            {...control}
            none="Nothing"
            value={original}
            onChange={({ target }) => setOriginal(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}
