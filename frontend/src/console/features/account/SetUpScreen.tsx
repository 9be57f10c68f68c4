import { useDispatch } from 'react-redux';
import { afterSetUp } from '../../api/staff';
import { sessionSlice } from '../../session/sessionSlice';
import { SetUp } from './SetUp';

/** In the place of the whole console, for those whose role needs a second factor and who have none. */
export function SetUpScreen() {
  const dispatch = useDispatch();
  const end = () => {
    dispatch(sessionSlice.actions.secondFactorSet());
    dispatch(afterSetUp());
  };
  return (
    <main className="sign-in set-up">
      <div className="panel">
        <h1 tabIndex={-1}>Set up a second factor</h1>
        <p className="quiet-text">
          Your role needs one: a code from an app on your phone, besides the password. The console
          opens once it is set up.
        </p>
        <SetUp onDone={end} />
      </div>
    </main>
  );
}
