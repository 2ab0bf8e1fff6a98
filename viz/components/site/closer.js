// One head and the whole model, fetched before they are first opened.

import { ModelPlan } from "./model_plan.js";
import { OneHeadView } from "./one_head_view.js";

export default { ModelPlan, OneHeadView };
