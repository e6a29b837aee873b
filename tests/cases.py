"""Faults that people met in other memory tools, and the tests that prove the right behaviour.

Each case is a class of faults, not one of them; it is told here by what is right. A test that
proves it says so itself, `@pytest.mark.case("C34")`; tests/rules/test_proofs.py keeps both sides
equal. Numbers have gaps.
"""

from proofs import read

# A case is a line with its number and sentence; its proofs stand below it, indented.
_WRITTEN = """
C01 A SQLite that may lose commits is refused, and `doctor` tells of it.
    tests/store/test_opening.py::test_a_sqlite_that_may_lose_commits_is_refused
    tests/store/test_opening.py::test_the_first_safe_sqlite_is_accepted
    tests/store/test_checkup.py::test_an_unsafe_sqlite_is_found
C02 Every connection waits for others from its first statement on, and eight processes can open one new store at once.
    tests/store/test_opening.py::test_each_connection_waits_survives_power_cuts_and_checks_references
    tests/process/test_store.py::test_eight_processes_open_one_new_store_at_once
C03 A writer waits for another one, and none writes for long at a time; what is given up is kept in the spool and counted by `status`.
    tests/store/test_clearing.py::test_tables_are_emptied_whole_and_not_row_by_row
    tests/unit/wiring/test_freshness.py::test_it_is_written_in_short_steps_and_all_are_found_between_them
    tests/unit/consolidate/test_catching_up.py::test_items_are_read_once_also_where_others_write
    tests/unit/index/test_renewal.py::test_every_entry_is_found_between_any_two_writes
    tests/flow/test_order_cut_short.py::test_every_commit_is_found_between_any_two_writes
    tests/process/test_short_writes.py::test_an_index_whose_renewal_is_killed_finds_all_and_is_renewed_by_the_next
    tests/store/test_limits.py::test_a_store_that_somebody_holds_is_told_after_the_wait
    tests/process/test_hooks.py::test_a_locked_store_puts_the_turn_into_the_spool_and_the_next_hook_takes_it
    tests/process/test_store.py::test_eight_processes_write_at_once_and_every_turn_is_there
C04 No reader keeps a transaction open between calls, and a log that is never emptied is told.
    tests/store/test_opening.py::test_no_read_transaction_is_left_open_after_a_use
    tests/process/test_store.py::test_a_reader_that_ended_lets_the_log_be_emptied
    tests/unit/mcp/test_server.py::test_between_calls_no_transaction_is_open
    tests/store/test_checkup.py::test_a_log_that_is_never_emptied_is_found
C06 After a kill or a full disk the store opens sound, with everything that was acknowledged.
    tests/process/test_store.py::test_nothing_is_lost_or_broken_when_the_process_is_killed_at_any_moment
    tests/process/test_import_limits.py::test_import_killed_at_any_moment_goes_on_to_the_same_end
    tests/unit/index/test_renewal.py::test_a_renewal_that_is_cut_short_anywhere_goes_on_to_the_same_end
    tests/flow/test_order_cut_short.py::test_cut_short_after_any_write_it_ends_as_if_read_in_order
    tests/process/test_short_writes.py::test_an_index_whose_renewal_is_killed_finds_all_and_is_renewed_by_the_next
    tests/process/test_killed_asking.py::test_a_result_is_kept_whole_or_not_at_all_wherever_its_worker_is_killed
    tests/store/test_limits.py::test_a_full_disk_is_told_and_what_was_acknowledged_stays
C07 Files of lines are read line by line: a torn or foreign one is counted and put aside, and what is spooled is whole or not there.
    tests/unit/hosts/test_spool.py::test_a_call_is_written_whole_however_little_is_written_at_once
    tests/unit/hosts/test_spool.py::test_a_call_that_does_not_fit_on_the_disk_leaves_nothing_behind
    tests/process/test_hooks.py::test_a_broken_file_in_the_spool_is_put_aside_and_told
    tests/unit/sources/test_shell_lines.py::test_torn_and_foreign_lines_are_passed_over
    tests/flow/test_shell_events.py::test_two_readers_of_one_file_keep_everything_once
    tests/unit/adapters/test_claude_code.py::test_bad_lines_are_named_and_the_rest_is_read
    tests/flow/test_import.py::test_bad_lines_are_counted_over_all_readings
    tests/flow/test_import.py::test_last_line_still_being_written_waits
    tests/process/test_hook_start.py::test_bytes_that_are_no_text_cost_themselves_alone
C08 What is derived can be dropped and built anew, with the same answers.
    tests/flow/test_invariants.py::test_rebuilding_the_index_changes_no_answer
C09 A migration keeps every row, leaves a copy of the file before it, and changes nothing where it fails.
    tests/store/test_migrations.py::test_rebuilding_a_table_keeps_the_rows_that_point_at_it
    tests/store/test_migrations.py::test_a_populated_store_of_every_released_version_opens_with_its_rows
    tests/store/test_migrations.py::test_a_step_changes_the_schema_and_leaves_a_copy_of_the_file_before_it
    tests/store/test_migrations.py::test_a_step_that_fails_changes_nothing
C10 A store of a newer version is told and left alone.
    tests/flow/test_cli_doctor.py::test_a_newer_store_is_told_and_left_alone
C11 Nothing of a memory is where git would track it, and `doctor` tells where it is tracked all the same.
    tests/flow/test_invariants.py::test_nothing_is_written_in_the_work_tree
    tests/unit/adapters/test_project.py::test_outside_git_only_init_makes_a_project
    tests/flow/test_cli_doctor.py::test_memory_that_git_tracks_is_told
C13 Hooks load no model and start one short worker at the most, under a lock that ends with it; an agent that is killed leaves no process.
    tests/process/test_hook_start.py::test_hooks_of_an_agent_that_was_killed_leave_no_process
    tests/rules/test_imports.py::test_a_prompt_loads_what_it_needs_and_nothing_slow
    tests/process/test_worker.py::test_a_worker_is_started_in_the_background_when_something_is_due_and_ends_by_itself
    tests/process/test_worker.py::test_no_worker_is_started_where_one_is_at_work
    tests/process/test_worker.py::test_a_second_worker_leaves_the_work_to_the_first
    tests/process/test_worker.py::test_the_lock_of_a_killed_worker_is_free_and_tells_who_it_was
C15 A hook answers within a second from its start, with nothing where it must; what it was given is kept, and `status` tells how often memory was left out and why.
    tests/unit/hooks/test_reply.py::test_the_start_of_python_counts
    tests/process/test_hook_start.py::test_how_long_a_hook_runs_counts_from_its_start
    tests/process/test_hook_start.py::test_what_takes_too_long_is_answered_with_nothing_kept_and_told
    tests/process/test_hooks.py::test_a_host_that_never_closes_its_end_is_answered_in_time
    tests/process/test_hooks.py::test_a_locked_store_puts_the_turn_into_the_spool_and_the_next_hook_takes_it
    tests/process/test_hooks.py::test_what_was_passed_over_is_told_with_its_reason
    tests/rules/test_imports.py::test_a_prompt_loads_what_it_needs_and_nothing_slow
C16 Each agent is answered in its own exact form, with nothing to say as well, and `doctor` sends a prompt through to see it arrive.
    tests/unit/hosts/test_answers.py::test_context_stands_beside_the_name_of_the_event
    tests/unit/hosts/test_answers.py::test_every_other_form_is_exact
    tests/unit/hosts/test_answers.py::test_nothing_to_say_is_an_answer_that_changes_nothing
    tests/unit/hosts/test_answers.py::test_a_text_above_the_limit_is_left_out_whole
    tests/unit/hosts/test_answers.py::test_fields_of_codex_are_those_of_its_schema
    tests/process/test_doctor.py::test_what_install_enters_works_from_the_prompt_to_the_store
    tests/process/test_doctor.py::test_an_answer_that_the_agent_would_refuse_is_told
C17 Whatever prints, nothing but the answer reaches the host.
    tests/process/test_hooks.py::test_what_prints_by_itself_does_not_reach_the_host
    tests/process/test_hooks.py::test_whatever_is_handed_over_the_answer_is_one_line_of_json
    tests/process/test_mcp.py::test_whatever_prints_stays_off_the_wire
    tests/process/test_mcp.py::test_a_library_that_prints_while_it_is_loaded_stays_off_the_wire
    tests/process/test_mcp.py::test_lines_that_are_no_messages_break_nothing
    tests/process/test_cli.py::test_json_goes_to_one_stream_and_words_to_the_other
    tests/process/test_hook_start.py::test_a_prompt_is_kept_as_it_was_whatever_its_characters
C18 A server greets and lists what it offers before it loads a model, a store or anything that could use a network.
    tests/rules/test_imports.py::test_a_server_greets_before_it_loads_a_model_a_store_or_a_network
C19 No network is used unless a command is for that: every test runs without one.
    tests/rules/test_home.py::test_reaching_for_a_network_is_an_error
    tests/unit/models/test_addresses_and_keys.py::test_every_provider_opens_without_sending_anything
    tests/rules/test_imports.py::test_a_prompt_loads_what_it_needs_and_nothing_slow
C20 Uninstalling leaves every file as it was, what others added included, and a hook whose package is gone is no failure.
    tests/flow/test_install.py::test_uninstalling_leaves_every_byte_as_it_was
    tests/flow/test_install.py::test_what_others_added_later_stays_when_ours_goes
    tests/flow/test_install_manners.py::test_in_a_project_every_byte_comes_back_too
    tests/unit/installing/test_json_edits.py::test_foreign_entries_keep_their_places_when_ours_stands_between
    tests/process/test_hook_start.py::test_a_hook_whose_package_is_gone_is_no_failure
    tests/process/test_git_hooks.py::test_a_program_that_is_gone_makes_no_noise
C21 Settings that are not ours are never changed, and what another program remembers is offered, not touched.
    tests/unit/installing/test_json_edits.py::test_everything_else_means_the_same_afterwards
    tests/unit/installing/test_json_edits.py::test_any_file_comes_back_byte_for_byte
    tests/flow/test_memories.py::test_what_claude_code_remembers_of_this_project_is_found_and_offered
    tests/flow/test_memories.py::test_nothing_is_memory_before_a_person_approves_it
C22 Nobody has to know their session: a connection is one, a hook is given its own, those that crashed expire, and a save without one is kept and told.
    tests/unit/mcp/test_server.py::test_a_connection_is_a_session
    tests/contract/test_threads.py::test_a_host_session_finds_its_thread_by_its_own_name
    tests/flow/test_agents_word.py::test_saves_of_one_session_are_told_from_those_of_another
    tests/flow/test_agents_word.py::test_a_save_without_a_session_is_kept_and_said_to_be_of_an_unknown_one
    tests/flow/test_agents_word.py::test_sessions_that_crashed_expire_and_hold_nothing_up
    tests/unit/record/test_recording.py::test_only_abandoned_turns_are_recovered_and_then_read
C23 Tools are seven, with plain names and 1,500 tokens of text in all, and none while memory is off.
    tests/unit/mcp/test_server.py::test_tools_are_few_annotated_and_well_named
    tests/unit/mcp/test_server.py::test_all_texts_together_cost_few_tokens
    tests/unit/mcp/test_server.py::test_what_is_off_costs_no_text_at_all
C25 A model is asked for text and can do nothing: a conversation that begs for action changes no file.
    tests/flow/test_model_cases.py::test_a_recording_that_begs_for_action_gets_none
    tests/contract/test_model_client_http.py::test_a_request_offers_no_tools_and_asks_for_no_stream
    tests/unit/extract/test_model_proposing.py::test_text_that_gives_orders_stays_inside_its_marks
C26 No agent's program is used as a model, so that none of our calls is a session of the user's; sessions that agents hold with themselves are passed over.
    tests/flow/test_model_cases.py::test_no_agents_program_is_a_backend
    tests/process/test_hooks.py::test_sessions_of_codex_about_its_own_memories_are_passed_over
C27 A model is asked within caps for a call, a session and a day, about a bounded window; a backlog drains by them and is told.
    tests/unit/spending/test_spending.py::test_a_backlog_drains_up_to_the_cap_and_goes_on_tomorrow
    tests/unit/spending/test_spending.py::test_one_session_cannot_spend_for_the_others
    tests/unit/spending/test_spending.py::test_a_call_beyond_its_cap_is_too_long_and_not_sent
    tests/flow/test_model_cases.py::test_a_call_sees_a_bounded_window_however_long_the_conversation
    tests/flow/test_model_backlog.py::test_at_the_cap_of_a_backlog_capture_and_rules_go_on_and_status_says_so
    tests/flow/test_model_memory.py::test_every_call_is_in_the_book
C28 A job that cannot succeed is split, repaired once, tried to an end, and buried with its reason.
    tests/unit/asking/test_asking.py::test_every_failure_ends_in_something_smaller_or_in_waiting
    tests/unit/asking/test_asking.py::test_a_second_bad_reply_is_an_invalid_one
    tests/unit/jobs/test_retry.py::test_every_cause_comes_to_an_end
    tests/unit/jobs/test_worker.py::test_what_cannot_succeed_is_buried_with_its_last_error
C30 What is shown keeps to a budget, is not repeated in a session, and is nothing for a subagent.
    tests/unit/inject/test_relevant.py::test_the_budget_is_never_exceeded
    tests/process/test_hooks.py::test_what_a_session_was_shown_is_not_shown_to_it_again
    tests/process/test_hooks.py::test_where_memory_is_silent_nothing_is_written
C31 A project is its repository, never a name: folders of one name are two, a subfolder is none, and nested repositories and submodules stand for themselves.
    tests/unit/adapters/test_project.py::test_two_repositories_of_one_name_are_two_projects
    tests/unit/adapters/test_project.py::test_subfolder_belongs_to_the_project_of_its_repository
    tests/unit/adapters/test_project.py::test_nested_repository_is_not_its_parent
    tests/unit/adapters/test_project.py::test_submodule_is_a_project_of_its_own
    tests/unit/adapters/test_project.py::test_outside_git_only_init_makes_a_project
    tests/flow/test_invariants.py::test_two_projects_of_one_name_share_nothing
C32 All work trees share one memory, with the branch as a mark, also those of a bare repository; one that is removed takes nothing along.
    tests/flow/test_invariants.py::test_work_trees_of_one_repository_share_everything
    tests/flow/test_work_trees.py::test_a_work_tree_that_is_removed_takes_nothing_along
    tests/flow/test_work_trees.py::test_a_bare_repository_shares_its_memory_with_its_work_trees_and_outlives_them
    tests/unit/adapters/test_project.py::test_bare_repository_and_its_work_trees_are_one_project
    tests/flow/test_backfill.py::test_branch_is_a_tag_until_it_is_merged
C33 What is done in one work tree touches no file of another, and each call is about the caller's own.
    tests/flow/test_work_trees.py::test_what_is_done_in_one_work_tree_touches_no_file_of_another
    tests/unit/mcp/test_workspace.py::test_each_work_tree_of_a_repository_is_looked_at_by_itself
    tests/unit/adapters/test_project.py::test_linked_work_tree_shares_the_memory_and_keeps_its_own_root
C34 A project that was renamed or moved keeps its memory and its id, one that was made anew is told once where its memory is, and `relink` brings it along.
    tests/flow/test_relinking.py::test_a_project_that_is_renamed_or_moved_keeps_its_memory_and_its_id
    tests/flow/test_relinking.py::test_a_memory_is_brought_along_from_one_directory_to_another
    tests/flow/test_relinking.py::test_a_directory_that_becomes_a_repository_is_told_where_its_memory_is
    tests/flow/test_relinking.py::test_a_second_clone_is_told_of_the_memory_of_the_first
    tests/flow/test_relinking.py::test_an_agent_that_begins_in_a_second_clone_is_told_once
    tests/flow/test_relinking.py::test_projects_that_have_nothing_in_common_are_not_taken_for_one
C35 What is remembered belongs to the project it was said in, and no home, temporary or other directory becomes a project by itself.
    tests/flow/test_work_trees.py::test_words_about_all_projects_stay_in_the_one_they_were_said_in
    tests/flow/test_work_trees.py::test_an_agent_in_a_home_or_temporary_directory_leaves_nothing_there
    tests/flow/test_work_trees.py::test_a_command_outside_every_project_makes_none
    tests/unit/adapters/test_project.py::test_home_and_temporary_directories_never_serve_what_lies_in_them
    tests/unit/adapters/test_project.py::test_home_that_is_a_repository_is_no_project_by_itself
    tests/process/test_hooks.py::test_outside_any_project_nothing_is_written
C37 A transcript of any size, and a line of any length, is read in bounded memory.
    tests/process/test_import_limits.py::test_line_beyond_any_talk_is_passed_over_in_bounded_memory
    tests/process/test_import_limits.py::test_prompt_too_large_to_read_is_named
C38 A transcript is read on from where it was left, and reading it again, rewritten or cut, adds nothing twice.
    tests/flow/test_import.py::test_file_that_grew_is_read_from_where_it_was_left
    tests/flow/test_import.py::test_file_that_was_rewritten_is_read_again_without_doubles
    tests/flow/test_import.py::test_importing_again_records_and_writes_nothing
    tests/flow/test_import.py::test_last_line_still_being_written_waits
    tests/flow/test_import.py::test_reading_at_any_moment_and_in_any_pieces_gives_the_same
C39 Who spoke is told by structure, and only a person's words ground what a person must have said.
    tests/unit/adapters/test_claude_code.py::test_record_that_is_no_prompt_by_structure_is_skipped
    tests/unit/capture/test_fences.py::test_message_is_from_whom_its_structure_says
    tests/unit/record/test_recording.py::test_what_no_human_said_is_kept_but_never_read
    tests/unit/extract/test_gate.py::test_words_of_a_host_prove_nothing
C40 What was shown to an agent is never captured as evidence.
    tests/flow/test_invariants.py::test_injected_text_that_comes_back_grounds_nothing
    tests/flow/test_import.py::test_transcript_that_holds_an_injection_adds_nothing_new
    tests/unit/inject/test_fences.py::test_capture_strips_the_whole_of_what_was_fenced
C41 What is pasted from a file that agents read anyway is nobody's word, and neither is what a host puts before a prompt.
    tests/flow/test_copied_instructions.py::test_what_is_pasted_from_such_a_file_is_not_remembered
    tests/flow/test_copied_instructions.py::test_the_same_rules_in_no_such_file_are_a_persons_word
    tests/flow/test_copied_instructions.py::test_a_model_makes_it_nobodys_word_either
    tests/flow/test_copied_instructions.py::test_a_line_that_stands_there_too_may_be_said_by_itself
    tests/flow/test_copied_instructions.py::test_what_is_said_beside_a_pasted_part_is_remembered
C43 Subagents and runs by a script are recorded only where that is wanted.
    tests/process/test_hooks.py::test_where_memory_is_silent_nothing_is_written
    tests/process/test_hooks.py::test_a_script_may_be_wanted
    tests/flow/test_cli_import.py::test_sessions_that_a_script_ran_are_passed_over_unless_wanted
    tests/unit/adapters/test_codex.py::test_session_of_a_subagent_says_nothing
C45 A path is stored in one form on every system, compared as its own system does, and any bytes may be in it; no shell runs our programs, and no window opens.
    tests/unit/segment/test_places.py::test_a_path_is_stored_from_the_top_with_forward_slashes
    tests/unit/segment/test_places.py::test_one_file_has_one_name_on_every_system
    tests/unit/segment/test_places.py::test_separators_case_and_dots_do_not_count
    tests/flow/test_encodings.py::test_a_file_has_one_name_however_its_letters_are_composed
    tests/unit/mcp/test_workspace.py::test_addresses_of_windows_have_a_drive
    tests/rules/test_code.py::test_programs_are_started_without_a_shell_and_without_a_window
    tests/process/test_hook_start.py::test_a_directory_whose_name_is_no_text_has_a_memory
    tests/unit/adapters/test_project.py::test_names_that_are_not_utf8_are_found
    tests/process/test_cli.py::test_paths_may_be_any_bytes
    tests/flow/test_import.py::test_path_of_any_bytes_has_a_cursor
    tests/flow/test_install_manners.py::test_a_file_of_lines_of_windows_gets_such_lines
C46 Most of what is said is not remembered: labelled dialogues measure it, each kind has evidence of its own, and a session can propose only so much.
    tests/process/test_quality.py::test_what_lasts_is_proposed_and_hardly_anything_else
    tests/unit/extract/test_gate.py::test_an_unproved_kind_is_refused
    tests/unit/mcp/test_server.py::test_a_session_may_not_propose_without_end
C47 A quote is found where it is said to be, in the turn of a speaker who can prove the claim, or the claim is refused.
    tests/unit/extract/test_gate.py::test_an_invented_quote_is_refused
    tests/unit/extract/test_gate.py::test_a_quote_at_the_wrong_place_is_refused
    tests/unit/extract/test_gate.py::test_the_assistants_words_alone_prove_nothing
    tests/unit/extract/test_gate.py::test_whatever_is_accepted_quotes_the_turn_exactly
C48 An agent's proposal with the user's yes or correction in the very next turn is a decision.
    tests/unit/extract/test_confirming.py::test_a_bare_yes_confirms_a_single_proposal
    tests/unit/extract/test_confirming.py::test_a_correction_is_part_of_what_is_remembered
    tests/unit/extract/test_model_proposing.py::test_a_confirmation_binds_to_the_answer_before
C49 Questions, guesses, quotations and what is off the record ground nothing.
    tests/unit/extract/test_gate.py::test_no_kind_and_no_span_makes_a_question_pass
    tests/unit/extract/test_extracting.py::test_what_does_not_last_becomes_nothing
    tests/flow/test_agents_word.py::test_what_is_off_the_record_is_not_even_kept_for_review
C51 Hashes and results of tests are those that git and events tell, not a model.
    tests/flow/test_model_summaries.py::test_what_tests_did_is_told_by_events_alone
    tests/flow/test_model_summaries.py::test_what_a_model_says_is_kept_where_the_texts_prove_it
    tests/flow/test_git_histories.py::test_hash_of_no_commit_is_said_to_be_unknown
C53 A model is told the kinds there are, and another one is refused, not guessed.
    tests/unit/extract/test_model_proposing.py::test_instructions_name_every_kind_and_the_limits
    tests/unit/extract/test_model_reply.py::test_an_unknown_kind_is_refused_and_not_guessed
C54 Files that changed are those of the diff; what is only mentioned is none of them, whoever says so.
    tests/unit/episodes/test_summaries.py::test_a_file_that_is_only_mentioned_is_not_one_that_changed
    tests/flow/test_model_summaries.py::test_what_a_model_says_is_kept_where_the_texts_prove_it
C56 A reply that is nearly right is read, and a malformed candidate is refused by itself.
    tests/unit/asking/test_reading.py::test_json_is_found_whatever_stands_around_it
    tests/unit/extract/test_model_reply.py::test_a_single_object_or_a_bare_list_is_read_too
    tests/unit/extract/test_model_reply.py::test_a_malformed_candidate_is_refused_by_itself
C57 What was superseded is found in no way.
    tests/unit/consolidate/test_stage.py::test_a_later_choice_takes_the_place_of_the_earlier
    tests/unit/recall/test_recall.py::test_superseded_retracted_forgotten_and_archived_items_are_never_found
    tests/unit/recall/test_recall.py::test_an_item_that_the_index_still_holds_is_hidden_once_it_is_superseded
C58 Only what shares a claim is replaced, few items at once, and it can be taken back.
    tests/unit/consolidate/test_model_opinions.py::test_unrelated_items_are_neither_superseded_nor_retracted
    tests/unit/consolidate/test_operations.py::test_a_run_retires_only_so_many_items
    tests/unit/consolidate/test_stage.py::test_two_databases_for_two_parts_stand_side_by_side
    tests/unit/consolidate/test_verbs.py::test_undo_of_a_replacement_restores_the_earlier_item
C60 Each revision keeps who made it, why, and the words that prove it, and no link leads to nothing.
    tests/contract/test_items.py::test_the_story_of_an_item_holds_its_evidence_with_the_time_it_was_said
    tests/contract/test_items.py::test_the_change_log_tells_who_did_what_newest_first
    tests/contract/test_items.py::test_evidence_without_a_turn_is_refused
    tests/contract/test_items.py::test_a_successor_must_exist_when_the_transaction_ends
C62 Forgetting hides an item everywhere; erasing leaves no byte of it in any file of the store, and names the copies.
    tests/flow/test_invariants.py::test_a_forgotten_item_is_in_no_view_and_is_not_rebuilt
    tests/store/test_erasing.py::test_no_file_holds_the_words_after_they_were_erased
    tests/store/test_erasing.py::test_exports_and_set_aside_files_that_hold_the_words_are_named
C63 No job replaces, rewords or removes what a person wrote or pinned.
    tests/unit/consolidate/test_stage.py::test_a_job_never_replaces_what_a_person_pinned
    tests/unit/consolidate/test_verbs.py::test_an_edit_is_a_persons_revision_that_no_job_replaces
    tests/unit/consolidate/test_operations.py::test_a_job_may_add_evidence_to_a_persons_item_and_not_reword_it
    tests/flow/test_model_memory.py::test_advice_removes_nothing_that_a_person_wrote
C64 A person is told what was recorded, read, refused and left out, and why something was not remembered.
    tests/flow/test_cli_commands.py::test_what_waits_is_told_by_status_and_done_by_work
    tests/flow/test_cli_commands.py::test_what_is_not_remembered_is_told_with_its_reason
    tests/process/test_hooks.py::test_what_was_passed_over_is_told_with_its_reason
C66 Words of every script are found by their parts, in whichever form their letters are written.
    tests/flow/test_encodings.py::test_a_part_of_what_was_said_finds_it_in_every_script
    tests/flow/test_encodings.py::test_composed_decomposed_and_wide_letters_find_each_other
    tests/unit/segment/test_terms.py::test_unspaced_scripts_become_pairs_that_never_cross_a_script
    tests/unit/segment/test_terms.py::test_single_characters_are_a_class_of_their_own
    tests/unit/segment/test_terms.py::test_one_name_in_four_spellings_is_one_term_and_its_words
    tests/unit/capture/test_folding.py::test_wide_letters_and_marks_fold_to_narrow_ones
    tests/unit/capture/test_folding.py::test_traditional_and_simplified_fold_to_one_form
C67 No text is read as an expression or breaks anything, and whatever is stored finds itself and comes back as it was.
    tests/flow/test_encodings.py::test_no_question_is_read_as_an_expression
    tests/flow/test_encodings.py::test_emoji_joiners_and_rare_characters_are_kept_as_they_were
    tests/flow/test_encodings.py::test_files_are_read_with_a_mark_before_them_and_with_lines_of_windows
    tests/flow/test_encodings.py::test_a_file_in_utf_16_is_named_and_nothing_of_it_is_taken
    tests/flow/test_encodings.py::test_settings_in_utf_16_are_told
    tests/contract/test_turn_texts.py::test_no_term_is_read_as_an_expression
    tests/contract/test_turn_texts.py::test_whatever_the_terms_are_the_query_runs
    tests/contract/test_turns.py::test_any_text_comes_back_as_it_was
    tests/contract/test_transactions.py::test_half_of_a_character_is_refused_and_nothing_is_kept
    tests/unit/record/test_verbatim.py::test_marking_halves_moves_no_offset_and_makes_any_text_storable
    tests/unit/recall/test_recall.py::test_whatever_is_stored_finds_itself
    tests/unit/recall/test_recall.py::test_whatever_is_asked_there_is_an_answer_or_a_reason
    tests/process/test_cli.py::test_output_is_utf8_whatever_the_locale_says
    tests/process/test_cli.py::test_chinese_arguments_are_understood_in_the_c_locale
    tests/flow/test_git_histories.py::test_names_and_messages_that_are_not_utf8_are_kept_readable
C68 Where nothing earns its place the answer is nothing.
    tests/unit/recall/test_recall.py::test_a_question_about_something_else_finds_nothing
    tests/unit/recall/test_recall.py::test_a_longer_question_does_not_match_by_a_short_common_word
C69 Recall explains which way found each entry and what removed the others.
    tests/unit/recall/test_recall.py::test_explaining_names_the_lane_and_what_removed_each_entry
    tests/flow/test_cli_commands.py::test_recall_explains_what_it_looked_at
C73 The index fits its limits, says how much more there is, and loses no pinned item.
    tests/unit/inject/test_index_text.py::test_lines_and_bytes_are_never_exceeded
    tests/unit/inject/test_index_text.py::test_what_does_not_fit_is_counted
    tests/unit/inject/test_index_text.py::test_pinned_items_are_shown_or_refused_and_never_dropped
C74 Nothing is written in the work tree.
    tests/flow/test_invariants.py::test_nothing_is_written_in_the_work_tree
C79 Secrets are replaced in all that is derived or sent, and before the first write where that is asked for; a quote over one still holds.
    tests/unit/capture/test_redact.py::test_a_planted_secret_never_survives
    tests/flow/test_settings.py::test_secrets_left_out_at_capture_are_in_no_file
    tests/flow/test_model_memory.py::test_a_secret_never_reaches_the_model_or_what_is_derived
    tests/unit/extract/test_model_shown.py::test_a_quote_over_a_secret_keeps_its_placeholder
C80 Nothing of a memory is in what git keeps or pushes; only an export that a person asks for leaves it.
    tests/flow/test_invariants.py::test_nothing_is_written_in_the_work_tree
    tests/flow/test_git_manners.py::test_nothing_in_the_repository_changes
C81 Text that no person wrote grounds nothing, waits for a person where an agent passes it on, and is shown between marks that it cannot forge.
    tests/flow/test_agents_word.py::test_what_the_users_words_do_not_prove_waits_and_is_nowhere_else
    tests/unit/adapters/test_claude_code.py::test_tool_results_are_nowhere_in_what_is_read
    tests/unit/inject/test_fences.py::test_no_tag_survives_in_content
    tests/unit/inject/test_relevant.py::test_ids_kinds_ages_and_origins_are_shown_with_both_fixed_lines
C82 No name that somebody chose leads out of our folders, follows a link or is a device.
    tests/unit/adapters/test_views.py::test_a_run_of_any_name_has_a_file_in_its_folder
    tests/unit/adapters/test_views.py::test_no_name_leads_out_of_the_folder
    tests/unit/adapters/test_views.py::test_a_link_that_lies_there_is_replaced_and_not_followed
C83 No port is open by default; the one that can be is on this machine alone, needs a token, and answers no page of elsewhere.
    tests/process/test_mcp_http.py::test_only_the_loopback_interface_listens
    tests/process/test_mcp_http.py::test_without_the_token_nobody_is
    tests/process/test_mcp_http.py::test_a_name_that_leads_here_is_not_answered_even_with_the_token
    tests/process/test_mcp_http.py::test_a_page_of_another_origin_is_not_answered
C85 A cloned repository brings no memory of its own, and sends no words elsewhere.
    tests/unit/adapters/test_project.py::test_clone_cannot_bring_a_memory_of_its_own
    tests/flow/test_relinking.py::test_a_memory_that_a_clone_brought_as_a_file_is_not_offered
    tests/flow/test_relinking.py::test_an_index_that_leaves_out_how_paths_begin_is_taken_to_hold_it
    tests/flow/test_cli_models.py::test_a_projects_file_cannot_send_words_elsewhere
    tests/unit/models/test_choosing.py::test_a_projects_file_may_switch_the_model_off_and_no_more
C86 Memory can be seen, refused and switched off for a session, a project or a machine, with nothing read, written or listed; the last change can be taken back.
    tests/process/test_hooks.py::test_off_means_that_nothing_is_read_or_written
    tests/unit/mcp/test_server.py::test_what_is_off_costs_no_text_at_all
    tests/contract/test_items.py::test_the_change_log_tells_who_did_what_newest_first
    tests/unit/consolidate/test_verbs.py::test_undo_goes_back_one_change_at_a_time_and_then_has_nothing
C87 Only a person approves, by a command of their own, and waiting is never a yes.
    tests/unit/consolidate/test_stage.py::test_in_review_new_items_wait_for_a_person
    tests/unit/mcp/test_server.py::test_words_of_the_user_are_remembered_and_those_of_the_agent_wait
    tests/unit/mcp/test_server.py::test_tools_are_few_annotated_and_well_named
C88 What waits for a person is told once a day at most, can be decided on in one go, is judged again when it is approved, and is discarded after a month.
    tests/flow/test_inbox.py::test_a_person_is_told_once_a_day_that_something_waits
    tests/flow/test_inbox.py::test_the_next_day_a_person_is_told_again
    tests/flow/test_inbox.py::test_nobody_is_told_where_nothing_waits
    tests/flow/test_inbox.py::test_what_nobody_approves_within_a_month_becomes_nothing
    tests/flow/test_inbox.py::test_a_worker_puts_away_what_waited_too_long
    tests/flow/test_inbox.py::test_what_went_unread_may_be_offered_again
    tests/flow/test_inbox.py::test_a_listing_that_is_left_as_it_is_decides_nothing
    tests/flow/test_inbox.py::test_each_line_of_a_listing_can_be_decided_on
    tests/flow/test_agents_word.py::test_approval_takes_the_place_of_what_said_otherwise
C89 Two active items of one claim cannot exist.
    tests/contract/test_items.py::test_two_active_items_of_one_claim_cannot_exist
C90 What an isolated purpose is given is the same with a full memory and with none.
    tests/flow/test_invariants.py::test_an_isolated_purpose_is_given_the_same_with_a_full_memory_and_with_none
    tests/flow/test_invariants.py::test_an_isolated_purpose_keeps_nothing
    tests/flow/test_library.py::test_what_an_audit_is_given_does_not_depend_on_what_is_stored
C92 A commit that was amended, rebased, squashed or picked is found by what it is, or said to be gone.
    tests/flow/test_git_histories.py::test_amended_message_is_found_by_its_tree
    tests/flow/test_git_histories.py::test_rebased_commits_are_found_by_their_patch
    tests/flow/test_git_histories.py::test_fixup_and_squash_leave_no_commit_to_point_at
    tests/flow/test_git_histories.py::test_squash_merge_of_one_commit_is_found_and_of_two_is_not
    tests/flow/test_git_histories.py::test_cherry_pick_carries_the_change_of_a_branch_that_is_gone
    tests/flow/test_git_histories.py::test_force_pushed_commit_is_not_found_after_the_fetch
    tests/flow/test_git_histories.py::test_shallow_clone_does_not_take_its_edge_for_a_beginning
    tests/flow/test_git_histories.py::test_partial_clone_is_read_without_fetching
    tests/flow/test_git_histories.py::test_sha256_repository_is_read
C94 Our calls of git change nothing, run nothing that settings name, ask nobody and end in time.
    tests/flow/test_git_manners.py::test_programs_named_in_settings_are_not_run
    tests/flow/test_git_manners.py::test_nothing_in_the_repository_changes
    tests/flow/test_git_manners.py::test_environment_keeps_what_is_not_git_and_asks_nobody
    tests/flow/test_git_manners.py::test_program_that_hangs_is_given_up
    tests/flow/test_git_manners.py::test_missing_program_is_a_message_for_a_person
C95 Dependencies are few and locked to hashes, and what a hook loads is listed.
    tests/rules/test_locked.py::test_everything_is_locked_to_a_version_and_its_hashes
    tests/rules/test_locked.py::test_what_the_core_needs_is_little_and_locked
    tests/rules/test_imports.py::test_a_prompt_loads_what_it_needs_and_nothing_slow
C96 What is shipped holds no instructions for agents but those meant for users.
    tests/rules/test_package.py::test_archives_hold_no_instructions_for_agents
C101 Plain statements become memory, in English and Chinese.
    tests/unit/extract/test_extracting.py::test_a_lasting_statement_becomes_one_candidate_of_its_kind
C102 Questions become nothing, however they are cut.
    tests/unit/extract/test_gate.py::test_no_kind_and_no_span_makes_a_question_pass
    tests/unit/extract/test_extracting.py::test_what_does_not_last_becomes_nothing
C103 What is undecided, supposed or reported becomes nothing.
    tests/unit/extract/test_extracting.py::test_what_does_not_last_becomes_nothing
C104 A denial never proves what it denies.
    tests/unit/extract/test_gate.py::test_a_denial_never_supports_what_it_denies
C105 A yes in many words confirms the one proposal beside it, and no other.
    tests/unit/extract/test_confirming.py::test_a_bare_yes_confirms_a_single_proposal
    tests/unit/extract/test_confirming.py::test_what_is_no_yes_or_no_proposal_confirms_nothing
    tests/unit/extract/test_confirming_words.py::test_a_chinese_yes_confirms
    tests/unit/extract/test_confirming_words.py::test_an_english_yes_confirms
C106 The yes of one conversation never confirms the proposal of another.
    tests/unit/extract/test_confirming.py::test_turns_of_two_threads_do_not_share_a_window
C107 Of two choices for one matter the later is active and the earlier superseded.
    tests/unit/consolidate/test_stage.py::test_a_later_choice_takes_the_place_of_the_earlier
C108 What was forgotten comes back by a new statement only.
    tests/flow/test_invariants.py::test_a_forgotten_item_is_in_no_view_and_is_not_rebuilt
    tests/unit/consolidate/test_verbs.py::test_a_forgotten_item_is_gone_and_old_turns_never_rebuild_it
    tests/unit/consolidate/test_verbs.py::test_a_new_statement_creates_again_what_was_forgotten
C109 One bad turn or proposal stops no other, and what was given up can be tried again.
    tests/unit/extract/test_model_proposing.py::test_one_bad_turn_is_found_by_halving_and_the_others_go_on
    tests/flow/test_model_memory.py::test_a_turn_that_always_fails_is_given_up_alone_and_can_be_tried_again
C110 A conversation that fails holds back no other.
    tests/flow/test_model_memory.py::test_a_failing_thread_holds_back_no_other
C111 No reply is asked for that the output cannot hold, and one that is cut is noticed.
    tests/unit/extract/test_model_proposing.py::test_what_is_asked_for_fits_into_the_output
    tests/unit/asking/test_asking.py::test_a_cut_reply_is_too_long_and_not_repaired
C112 A text of any length is stored whole and sent to a model in part.
    tests/contract/test_turns.py::test_a_text_of_five_million_characters_is_stored_whole
    tests/unit/extract/test_model_proposing.py::test_five_million_characters_are_sent_in_bounded_form
C113 A lease is renewed while its job runs, and a result that comes too late is refused.
    tests/unit/jobs/test_worker.py::test_a_lease_is_renewed_while_its_job_runs
    tests/unit/jobs/test_worker.py::test_a_result_that_comes_too_late_is_dropped
C114 At the exit each waiting job gets one try, within a bound.
    tests/unit/jobs/test_worker.py::test_the_drain_gives_each_waiting_job_and_its_children_one_try
    tests/unit/jobs/test_worker.py::test_the_drain_ends_when_its_time_is_over
C115 What idles writes nothing.
    tests/unit/jobs/test_worker.py::test_nothing_is_written_while_nothing_is_due
    tests/flow/test_story_upkeep.py::test_idle_worker_writes_nothing
    tests/process/test_mcp.py::test_an_idle_server_writes_nothing_and_holds_no_lock
C116 Natural questions find the decision, and what means nothing finds nothing.
    tests/unit/recall/test_recall.py::test_a_question_finds_its_answer_first
    tests/unit/recall/test_recall.py::test_a_question_about_something_else_finds_nothing
C117 Recall makes a constant number of statements, however much there is.
    tests/unit/recall/test_cost.py::test_five_thousand_items_cost_as_many_statements_as_fifty
C118 A memory is readable for its owner alone.
    tests/store/test_opening.py::test_directory_and_file_are_private_under_any_umask
    tests/flow/test_cli_doctor.py::test_a_file_that_others_may_read_is_told
C119 An export fills an empty memory with the same items, evidence and statuses.
    tests/store/test_exports.py::test_an_export_reads_back_into_an_empty_store_as_it_was
C120 A reply that says nothing removes nothing.
    tests/unit/consolidate/test_model_opinions.py::test_an_empty_reply_decides_nothing
C121 A turn is what the user said and the last answer, whatever tools ran between.
    tests/unit/adapters/test_claude_code.py::test_answer_is_the_last_text_before_the_next_prompt
    tests/unit/adapters/test_claude_code.py::test_tool_results_are_nowhere_in_what_is_read
C122 A path is matched by whole names.
    tests/unit/segment/test_places.py::test_a_path_is_not_found_by_part_of_a_segment
    tests/unit/recall/test_recall.py::test_a_path_never_matches_by_part_of_a_name
C123 The newest episode is never shown for want of a match.
    tests/unit/episodes/test_finding.py::test_newest_is_never_a_filler_for_want_of_a_match
    tests/unit/recall/test_kinds_of_question.py::test_the_newest_is_never_a_filler
"""

# What is right where there is no such thing to go wrong: "what would be at fault: why it cannot".
NOT_APPLICABLE = {
    "C14": "A loop of restarts after an upgrade: nothing lives on to be replaced, and the version "
    "of the schema alone decides who can open a store.",
    "C71": "Vectors of two models in one search: no vectors are made.",
    "C75": "A view in Markdown that is written over a person's changes: no such view is written.",
    "C76": "A view that was emptied and empties memory: no view is read back.",
    "C77": "The newer side of a view found by its file's time: no view is read back.",
}

CASES = tuple(read(_WRITTEN))
