// Retries that never charge twice: every attempt carries the same Idempotency-Key.
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"time"
)

const attempts = 5

var client = http.Client{Timeout: 30 * time.Second}

// attempt posts once, and reads the answer to its end.
func attempt(path, key string, body []byte) (*http.Response, []byte, error) {
	request, err := http.NewRequest(http.MethodPost, os.Getenv("API")+path, bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", key)
	answer, err := client.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	return answer, content, err
}

// passes tells whether another attempt may be answered otherwise. API Gateway's own errors have no code.
func passes(status int, content []byte) bool {
	var refusal struct{ Error struct{ Code string } }
	_ = json.Unmarshal(content, &refusal)
	switch refusal.Error.Code {
	case "idempotency_in_progress":
		return true
	case "credits_exhausted":
		return false
	}
	return status == http.StatusTooManyRequests || status >= 500
}

// safely posts until there is an answer that another attempt would not change.
func safely(path, key string, body []byte) (http.Header, []byte, error) {
	for number := 1; ; number++ {
		pause := time.Second << (number - 1)
		answer, content, err := attempt(path, key, body)
		switch {
		case err != nil:
			// Whether it arrived is unknown, and need not be known.
			if number == attempts {
				return nil, nil, err
			}
		case answer.StatusCode < 400:
			return answer.Header, content, nil
		case number == attempts || !passes(answer.StatusCode, content):
			return nil, nil, fmt.Errorf("%s: %s", answer.Status, content)
		default:
			if seconds, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil {
				pause = time.Duration(seconds) * time.Second
			}
		}
		time.Sleep(pause)
	}
}

type optimized struct {
	Data struct{ Versions []struct{ Prompt string } }
}

func run() error {
	key := rand.Text()
	body := []byte(`{"prompt": "Write something nice about {{product}}", "targetModel": "Claude Opus 5.5"}`)
	var first, second optimized
	_, content, err := safely("/prompts/optimize", key, body)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(content, &first); err != nil {
		return err
	}
	fmt.Println(first.Data.Versions[0].Prompt)

	// Had the answer been lost, asking again would have brought the same one, free of charge.
	header, content, err := safely("/prompts/optimize", key, body)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(content, &second); err != nil {
		return err
	}
	if !reflect.DeepEqual(first, second) {
		return fmt.Errorf("another answer: %s", content)
	}
	fmt.Println("Idempotent-Replayed:", header.Get("Idempotent-Replayed"))
	return nil
}

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}
