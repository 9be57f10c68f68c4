import { EnterForm } from './EnterForm';
import type { EntryStubProps } from './stubProps';
import { useCodeStep } from './useCodeStep';

/** What stands on the ticket's stub: the form, then the step for the code where numbers are proved. */
export function EntryStub(props: EntryStubProps) {
  const { step, open, update, leave } = useCodeStep(props.landingPage);
  if (step.name === 'code') {
    const { CodeStep, pending } = step;
    return (
      <CodeStep
        pending={pending}
        onEntered={props.onEntered}
        onNews={update}
        onLeave={(left) => leave(pending, left)}
      />
    );
  }
  return (
    <>
      <h2 id="stub-title">Your free entry</h2>
      <EnterForm key={step.kept?.left} {...props} kept={step.kept} onCodeSent={open} />
    </>
  );
}
