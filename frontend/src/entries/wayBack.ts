/** Stands inline in the pages without React from which an entrant may want to go to their own. */
import { showWayBack } from '../site/lib/yourPage';

showWayBack();
